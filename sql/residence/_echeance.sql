-- Instalments: one a calendar month or year, the first and last in proportion to their days. The first payment of an
-- instalment creates its invoice, and the amount paid is derived from it.

create type residence.statut_echeance as enum ('PAYE', 'IMPAYE', 'PARTIEL', 'A_VENIR');
comment on type residence.statut_echeance is 'État d''une échéance, déduit de ses montants et du jour.';

create function residence._statut_echeance(
  p_montant core.montant, p_paye core.montant, p_date date, p_jour date, p_contrat residence.statut_contrat)
returns residence.statut_echeance
language sql immutable parallel safe
return case when p_paye >= p_montant then 'PAYE'::residence.statut_echeance
            when p_contrat = 'EN_ATTENTE' then 'A_VENIR'::residence.statut_echeance
            when p_paye > 0 then 'PARTIEL'::residence.statut_echeance
            when p_date <= p_jour then 'IMPAYE'::residence.statut_echeance
            else 'A_VENIR'::residence.statut_echeance end;
comment on function residence._statut_echeance is
  'État d''une échéance un jour donné ; le jour où elle est due, elle est impayée. Un contrat en attente ne doit encore rien.';

create view residence.echeance_vue as
select e.id_echeance, e.id_contrat, e.mois, e.annee, e.montant, e.montant_paye, e.date_echeance,
       residence._statut_echeance(
         e.montant, e.montant_paye, e.date_echeance, (select core.aujourdhui()), c.statut) as statut,
       e.id_paiement, e.date_fin
  from residence.echeance e
  left join residence.contrat_location c on c.id_contrat = e.id_contrat
 where not e.annulee and (select residence._visible());
comment on view residence.echeance_vue is 'Échéances, sans celles qu''une résiliation ou une annulation a annulées.';
comment on column residence.echeance_vue.montant_paye is 'Ce que sa facture a reçu.';
comment on column residence.echeance_vue.id_paiement is 'Dernier paiement, null tant que rien n''est payé.';
call core.peut_etre_null('residence.echeance_vue', 'statut');

call core.detail('residence._echeance', 'residence.echeance_vue', 'id_echeance');
comment on function residence._echeance is 'Une échéance visible par l''utilisateur. Refuse NOT_FOUND.';

-- Continues after the last existing instalment. The rents come from one join, because residence._loyer for each
-- instalment took a quarter of the time of a year. A whole month or year costs its rent, without a call. The last
-- instalments are read before any is created: within one statement, each of these reads would scan the instalments that
-- it has just created. The caller locks the leases, so that two concurrent calls create each instalment once.
create function residence._echeances_generer(p_contrats bigint[], p_jusqu_au date) returns integer
language plpgsql volatile as $$
declare
  v_fins date[];
  v_nombre integer;
begin
  v_fins := array(select (select e.date_fin from residence.echeance e where e.id_contrat = c.id_contrat
                           order by e.annee desc, e.mois desc limit 1)
                    from unnest(p_contrats) with ordinality c (id_contrat, rang) order by c.rang);
  insert into residence.echeance (id_contrat, date_echeance, date_fin, montant)
  select c.id_contrat, p.debut, p.fin,
         case when p.debut = residence._debut_unite(c.type_location, p.debut)
                   and p.fin = residence._fin_unite(c.type_location, p.debut) then coalesce(r.loyer, c.loyer_initial)
              else residence._loyer_periode(
                     c.type_location, coalesce(r.loyer, c.loyer_initial), c.date_debut, p.debut, p.fin) end
    from unnest(p_contrats, v_fins) d (id_contrat, date_fin)
    join residence.contrat_location c on c.id_contrat = d.id_contrat
   cross join lateral residence._periodes(
     c.type_location, coalesce(d.date_fin + 1, c.paye_jusqu_au + 1, c.date_debut), c.date_fin_prevue, p_jusqu_au) p
    left join residence._loyers_revises(p_contrats) r
           on r.id_contrat = c.id_contrat and r.depuis <= p.debut and p.debut < r.avant;
  get diagnostics v_nombre = row_count;
  return v_nombre;
end $$;
comment on function residence._echeances_generer is
  'Crée les échéances qui manquent à ces contrats, jusqu''à leur fin prévue ou, sans terme, jusqu''à celle qui commence au plus tard à cette date. Rend leur nombre.';

-- The lock order of a payment: the invoice, then the instalment.
create function residence._echeances_verrouiller(p_echeances bigint[]) returns void
language plpgsql volatile as $$
begin
  perform from facturation.facture f
    where f.source_type = 'LOCATION' and f.source_id = any (p_echeances)
    order by f.id_facture for no key update;
  perform from residence.echeance e where e.id_echeance = any (p_echeances) order by e.id_echeance for no key update;
end $$;
comment on function residence._echeances_verrouiller is 'Verrouille les factures puis les échéances, par identifiant.';

create function residence._echeance_suivre(p_facture facturation.facture, p_paye_avant numeric) returns void
language plpgsql volatile as $$
declare
  v residence.echeance;
  v_recu numeric := p_facture.montant_paye - p_facture.montant_credit;
begin
  select * into strict v from residence.echeance e where e.id_echeance = p_facture.source_id for no key update;
  if p_facture.montant_paye > p_paye_avant and (v_recu > v.montant or v.annulee) then
    perform core.refuser(409, 'SURPAIEMENT', 'Le paiement dépasse le reste à payer de l''échéance.',
                         jsonb_build_object('reste', (v.montant - v.montant_paye)::text));
  end if;
  update residence.echeance e
     set (montant_paye, id_paiement, montant_du) = row(
           v_recu, (select max(x.id_paiement) from finances._facture_payeurs(p_facture.id_facture) x),
           case when p_facture.annulee or e.montant_du is null then e.montant_du
                else least(e.montant_du, p_facture.montant_total - p_facture.montant_avoirs) end)
   where e.id_echeance = p_facture.source_id;
end $$;
comment on function residence._echeance_suivre is
  'Reporte sur l''échéance ce que sa facture a reçu, ce que ses avoirs en retirent, et le dernier paiement. Refuse SURPAIEMENT.';

-- This trigger ignores the written values, like the trigger of the invoice. The amount that a closed lease has paid
-- beyond the amount owed is to be refunded. The part that became the credit of the client no longer pays.
create function residence._t50_echeance_payee() returns trigger
language plpgsql volatile as $$
declare
  v facturation.facture;
begin
  select * into v from facturation.facture f
   where f.source_type = 'LOCATION' and f.source_id = new.id_echeance and not f.annulee;
  new.montant_paye := coalesce(v.montant_paye - v.montant_credit, 0);
  new.annulee := coalesce(new.montant_du = 0 and new.montant_paye = 0 and coalesce(v.montant_avoirs, 0) = 0,
                          new.annulee);
  if new.montant_du is not null and not new.annulee then
    new.montant := greatest(new.montant_du, new.montant_paye);
  elsif v.montant_avoirs > 0 then -- the excess is repaid after the credit note
    new.montant := greatest(v.montant_total - v.montant_avoirs, new.montant_paye);
  end if;
  return new;
end $$;
comment on function residence._t50_echeance_payee is
  'montant_paye = ce que la facture de l''échéance a reçu, 0 sans facture ; montant = celui de la facture, avoirs déduits ; d''un contrat clos, montant = ce qui est dû, ou payé si c''est plus, et annulee quand il n''y a ni l''un ni l''autre.';

create trigger t50_echeance_payee before update of montant_paye, montant_du on residence.echeance
  for each row execute function residence._t50_echeance_payee();

call core.figer('ECHEANCE_FIGEE',
  'Une échéance ne s''efface pas, et payée, même en partie, elle ne change plus de montant.',
  'before delete on residence.echeance',
  'montant: before update of montant on residence.echeance
    when (old.montant_paye > 0 and new.montant <> old.montant)');

-- An issued invoice keeps its amount: a credit note takes the rent that a closed lease no longer owes. The excess
-- of its payments becomes the credit of the client.
create function residence._loyers_factures_crediter(p_echeances bigint[]) returns void
language plpgsql volatile as $$
declare
  v_motif constant text := 'Prorata de la résiliation';
  v record;
begin
  for v in
    select f.id_facture, e.montant_du, f.montant_total - f.montant_avoirs - e.montant_du as trop
      from facturation.facture f
      join residence.echeance e on e.id_echeance = f.source_id
     where f.source_type = 'LOCATION' and not f.annulee and e.id_echeance = any (p_echeances)
       and (f.montant_total - f.montant_avoirs > e.montant_du or e.annulee)
     order by f.id_facture
  loop
    if v.montant_du > 0 then
      perform facturation._facture_crediter(v.id_facture, v.trop, v_motif);
    else
      perform facturation._facture_crediter_reste(v.id_facture, v_motif, p_rembourse => false);
    end if;
  end loop;
end $$;
comment on function residence._loyers_factures_crediter is
  'Crédite les factures de ces échéances, d''un contrat clos, de ce qui n''en est plus dû, et annule celles dont rien ne l''est ; ce qui en était payé devient le crédit du client.';
-- The lines belong to live invoices, and a lease has a client.
call core.ne_refuse_pas('residence._loyers_factures_crediter', 'FACTURE_ANNULEE', 'AVOIR_EXCESSIF',
  'LIGNE_D_UNE_AUTRE_FACTURE', 'REMBOURSEMENT_REQUIS');

create function residence._libelle_loyer(p_numero_contrat text, p_echeance residence.echeance) returns text
language sql immutable parallel safe
return format('Loyer %s, %s/%s', p_numero_contrat, (p_echeance).mois, (p_echeance).annee);
comment on function residence._libelle_loyer is 'Libellé de la facture d''une échéance.';

create function residence._loyer_a_regler(p_numero_contrat text, p_echeance residence.echeance, p_montant core.montant)
returns facturation.source_a_regler
language sql stable
return row('LOCATION', (p_echeance).id_echeance, residence._libelle_loyer(p_numero_contrat, p_echeance),
           array[facturation._ligne(residence._libelle_loyer(p_numero_contrat, p_echeance), 1, (p_echeance).montant, (
             select l.code_taxe from residence.contrat_location c
               join residence.logement l on l.id_logement = c.id_logement
              where c.id_contrat = (p_echeance).id_contrat))],
           0, p_montant)::facturation.source_a_regler;
comment on function residence._loyer_a_regler is 'Une échéance telle que le règlement la prend.';

create function residence._reference_loyer(p_numero_contrat text, p_mois smallint, p_annee smallint) returns text
language sql immutable parallel safe
return concat_ws('-', 'LOYER', p_numero_contrat, p_mois, p_annee);
comment on function residence._reference_loyer is 'Référence du loyer d''une échéance : LOYER-CON-2026-042-8-2026.';
