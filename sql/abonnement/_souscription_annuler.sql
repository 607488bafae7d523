-- A subscription is cancelled only with its invoice: POST /facturation/factures/{id}/annuler. A credit note may give
-- back a part of its price, or all of it once the subscription is terminated: units that are paid back serve no more.
-- Lock: the subscription. The caller locks the invoice afterwards.

create function abonnement._souscription_annuler(p_id_facture bigint, p_motif core.texte) returns void
language plpgsql volatile as $$
declare
  v_id_souscription bigint;
begin
  select s.id_souscription into v_id_souscription from abonnement.souscription s
   where s.id_facture = p_id_facture and s.statut <> 'ANNULEE' for no key update;
  if not found then
    return;
  end if;
  if exists (select from abonnement.mouvement m where m.id_souscription = v_id_souscription
                and m.type in ('REPORT_ENTRANT', 'REPORT_SORTANT', 'PERTE'))
     or exists (select from abonnement.mouvement m where m.id_souscription = v_id_souscription
                   and m.type in ('CONSOMMATION', 'ANNULATION') having sum(m.quantite) <> 0) then
    perform core.refuser(409, 'SOUSCRIPTION_CONSOMMEE',
      'Des unités de cet abonnement ont servi ou ont été reportées : sa facture ne s''annule plus. Résiliez-le.');
  end if;
  update abonnement.souscription s set (statut, motif_statut) = row('ANNULEE', p_motif)
   where s.id_souscription = v_id_souscription;
end $$;
comment on function abonnement._souscription_annuler is
  'Annule l''abonnement d''une facture, si elle est celle d''un abonnement et que rien n''en a servi. Refuse SOUSCRIPTION_CONSOMMEE.';
-- Both other states may become ANNULEE.
call core.ne_refuse_pas('abonnement._souscription_annuler', 'TRANSITION_INTERDITE');

create function abonnement._t20_souscription_creditee() returns trigger
language plpgsql volatile as $$
begin
  if exists (select from abonnement.souscription s where s.id_facture = new.id_facture and s.statut = 'ACTIVE') then
    perform core.refuser(409, 'SOUSCRIPTION_EN_VIGUEUR',
      'Un abonnement en vigueur ne se crédite pas en entier : annulez sa facture si rien n''en a servi, sinon résiliez-le d''abord.');
  end if;
  return new;
end $$;
comment on function abonnement._t20_souscription_creditee is
  'Refuse de créditer en entier la facture d''un abonnement en vigueur : SOUSCRIPTION_EN_VIGUEUR.';

create trigger t20_souscription_creditee before update of montant_avoirs on facturation.facture
  for each row when (new.montant_avoirs = new.montant_total and not new.annulee)
  execute function abonnement._t20_souscription_creditee();
