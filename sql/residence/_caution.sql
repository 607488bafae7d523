-- Deposits: declared, then paid and given back, each as a real payment or as a declaration. The kept part may be given
-- back later, and a deposit given back whole may be declared again. Lock order: the deposit, then the till.

create view residence.caution_evenement_vue as
select h.evenement, h.date, h.montant, h.motif, h.id_caution, h.id_evenement
  from residence.caution_evenement h;
comment on view residence.caution_evenement_vue is 'Histoire des cautions.';

create view residence.caution_vue as
select c.id_caution, c.id_contrat, c.montant, c.date_versement, c.payee, c.date_restitution, c.montant_restitue,
       c.retenue, c.motif_retenue, c.statut,
       array(select h from residence.caution_evenement_vue h
              where h.id_caution = c.id_caution order by h.id_evenement) as historique
  from residence.caution c
 where (select residence._visible());
comment on view residence.caution_vue is 'Cautions et leur histoire.';

create type residence.caution_payee as (
  id_caution bigint, id_contrat bigint, montant core.montant, date_versement date, payee boolean, date_restitution date,
  montant_restitue core.montant, retenue core.montant, motif_retenue core.texte, statut residence.statut_caution,
  historique residence.caution_evenement_vue[], id_paiement bigint);
comment on type residence.caution_payee is 'Caution après un encaissement ou un remboursement.';
comment on column residence.caution_payee.id_paiement is 'Null quand tout est retenu : rien n''est versé.';
call core.peut_etre_null('residence.caution_payee', 'date_versement', 'date_restitution', 'montant_restitue',
  'retenue', 'motif_retenue', 'id_paiement');

create function residence._caution_verrouiller(p_id_contrat bigint) returns residence.caution
language plpgsql volatile as $$
declare
  v_id_caution bigint := (residence.caution_detail(p_id_contrat)).id_caution;
begin
  return core._trouve((select c from residence.caution c where c.id_caution = v_id_caution for update));
end $$;
comment on function residence._caution_verrouiller is 'Caution d''un contrat, verrouillée. Refuse NOT_FOUND.';

create function residence._caution_payee(p_id_contrat bigint, p_id_paiement bigint) returns residence.caution_payee
language plpgsql stable as $$
begin
  return (select row(c.*, p_id_paiement)::residence.caution_payee from residence.caution_detail(p_id_contrat) c);
end $$;
comment on function residence._caution_payee is 'Réponse d''un encaissement ou d''un remboursement de caution.';

create function residence._caution_verser(
  p_caution residence.caution, p_evenement residence.evenement_caution, p_montant core.montant_du_reglement,
  p_date date, p_motif core.texte, p_id_paiement bigint)
returns void
language plpgsql volatile as $$
begin
  update residence.caution c set (date_versement, montant) = row(p_date, p_montant)
   where c.id_caution = (p_caution).id_caution;
  insert into residence.caution_evenement (id_caution, evenement, date, montant, motif, id_paiement, id_utilisateur)
  values ((p_caution).id_caution, p_evenement, residence._instant(p_date), p_montant, p_motif, p_id_paiement,
          core.utilisateur());
end $$;
comment on function residence._caution_verser is 'Note le versement d''une caution.';

create function residence._caution_due(p_caution residence.caution) returns void
language plpgsql stable as $$
begin
  if (p_caution).payee then
    perform core.refuser(409, 'CAUTION_DEJA_VERSEE', 'Cette caution est déjà versée.');
  end if;
end $$;
comment on function residence._caution_due is 'Refuse CAUTION_DEJA_VERSEE.';

-- The house holds the whole deposit before it gives anything back, and then what it kept.
create function residence._caution_tenue(p_caution residence.caution) returns core.montant
language sql immutable parallel safe
return coalesce((p_caution).retenue, (p_caution).montant);
comment on function residence._caution_tenue is 'Ce qu''on tient encore d''une caution versée.';

create function residence._caution_rendre(
  p_caution residence.caution, p_evenement residence.evenement_caution, p_retenue core.montant, p_motif core.texte,
  p_date date, p_id_paiement bigint)
returns void
language plpgsql volatile as $$
begin
  update residence.caution c
     set (date_restitution, montant_restitue, retenue, motif_retenue) =
         row(least((p_caution).date_restitution, p_date), (p_caution).montant - p_retenue, p_retenue, p_motif)
   where c.id_caution = (p_caution).id_caution;
  insert into residence.caution_evenement (id_caution, evenement, date, montant, motif, id_paiement, id_utilisateur)
  values ((p_caution).id_caution, p_evenement, residence._instant(p_date),
          residence._caution_tenue(p_caution) - p_retenue, p_motif, p_id_paiement, core.utilisateur());
end $$;
comment on function residence._caution_rendre is
  'Note la restitution d''une caution, moins la retenue, ou d''une part de ce qui en était gardé.';
-- An operation gives the date.
call core.peut_refuser('residence._caution_rendre', 'CAUTION_RESTITUEE_APRES_VERSEMENT');

create function residence._caution_encaissee(p_id_caution bigint) returns boolean
language sql stable
return coalesce((select h.evenement = 'ENCAISSEMENT' from residence.caution_evenement h
                  where h.id_caution = p_id_caution and h.evenement in ('ENCAISSEMENT', 'VERSEMENT')
                  order by h.id_evenement desc limit 1), false);
comment on function residence._caution_encaissee is
  'Vrai si une caution a été versée, la dernière fois, par un encaissement, faux sur déclaration.';

-- A deposit that was only declared has put no money in a till, so no till pays it back.
create function residence._caution_a_rendre(p_caution residence.caution, p_retenue core.montant, p_en_argent boolean)
returns void
language plpgsql stable as $$
begin
  if not (p_caution).payee then
    perform core.refuser(409, 'CAUTION_NON_VERSEE', 'Cette caution n''a jamais été versée.');
  elsif (p_caution).date_restitution is not null and (p_retenue is null or p_retenue >= (p_caution).retenue) then
    perform core.refuser(409, 'CAUTION_DEJA_RESTITUEE',
      'Cette caution est déjà restituée : pour rendre une part de ce qui en est gardé, donnez une retenue plus petite.',
      jsonb_build_object('retenue', (p_caution).retenue::text));
  elsif p_retenue > (p_caution).montant then
    perform core.refuser(400, 'RETENUE_INVALIDE', 'La retenue dépasse la caution.',
                         jsonb_build_object('montant', (p_caution).montant::text));
  elsif p_en_argent and not residence._caution_encaissee((p_caution).id_caution) then
    perform core.refuser(409, 'CAUTION_NON_ENCAISSEE',
      'Cette caution a été versée sur déclaration, jamais encaissée : déclarez-la restituée.');
  end if;
end $$;
comment on function residence._caution_a_rendre is
  'Refuse CAUTION_NON_VERSEE, CAUTION_DEJA_RESTITUEE, RETENUE_INVALIDE, CAUTION_NON_ENCAISSEE.';

create function residence._caution_rembourser(
  p_caution residence.caution, p_id_moyen bigint, p_retenue core.montant, p_motif core.texte, p_date date,
  p_id_caisse bigint) returns bigint
language plpgsql volatile as $$
declare
  v_id_paiement bigint;
begin
  if p_retenue < residence._caution_tenue(p_caution) then
    v_id_paiement := residence._paiement_caution(
      p_caution, 'DECAISSEMENT', residence._caution_tenue(p_caution) - p_retenue, p_id_moyen, p_date,
      p_id_caisse => p_id_caisse);
  end if;
  perform residence._caution_rendre(p_caution, 'REMBOURSEMENT', p_retenue, p_motif, p_date, v_id_paiement);
  return v_id_paiement;
end $$;
comment on function residence._caution_rembourser is
  'Rend en argent une caution encaissée, moins la retenue, ou une part de ce qui en était gardé ; null quand tout est retenu.';

create function residence._instant(p_jour date) returns timestamptz
language sql stable
return case when p_jour = core.aujourdhui() then now() else core.debut_du_jour(p_jour) end;
comment on function residence._instant is 'Instant d''un fait dont on sait le jour : maintenant, ou le début d''un autre jour.';

create function residence._jour_passe(p_jour date) returns date
language plpgsql stable as $$
begin
  if p_jour > core.aujourdhui() then
    perform core.refuser(400, 'DATE_FUTURE', 'Cette date est dans le futur.');
  end if;
  return coalesce(p_jour, core.aujourdhui());
end $$;
comment on function residence._jour_passe is 'Le jour donné, sinon aujourd''hui. Refuse DATE_FUTURE.';

create function residence._paiement_caution(
  p_caution residence.caution, p_type finances.type_paiement, p_montant core.montant_du_reglement, p_id_moyen bigint,
  p_date date, p_reference core.libelle default null, p_id_caisse bigint default null)
returns bigint
language sql volatile
begin atomic
  insert into finances.paiement (type, date, montant, id_moyen, id_activite, id_caisse, motif, reference)
  values (p_type, residence._instant(p_date), p_montant, p_id_moyen, residence._activite(), p_id_caisse,
          'Caution ' || (select l.numero_contrat from residence.contrat_location l
                          where l.id_contrat = (p_caution).id_contrat),
          coalesce(p_reference, 'CAUTION-' || (p_caution).id_caution))
  returning id_paiement;
end;
comment on function residence._paiement_caution is
  'Argent d''une caution reçu ou rendu, dans la caisse de l''utilisateur s''il en a une, sinon dans celle donnée. Refuse PERIODE_CAISSE_FERMEE, MOYEN_PAIEMENT_INACTIF.';
call core.peut_refuser('residence._paiement_caution', 'PAIEMENT_MOYEN_INCONNU');
-- The payment names no original payment, no invoice, and no client whose credit could pay it.
call core.ne_refuse_pas('residence._paiement_caution', 'PAIEMENT_DEJA_RENDU', 'PAIEMENT_DE_CAUTION', 'SURPAIEMENT',
  'FACTURE_ANNULEE', 'CREDIT_INSUFFISANT');

-- A deposit goes back through its lease. A refund of the payment alone, or a payment of an invoice with it, is refused.
create function residence._caution_refuser(p_id_paiement bigint) returns void
language plpgsql stable as $$
declare
  v_id_contrat bigint;
begin
  select c.id_contrat into v_id_contrat from residence.caution_evenement h
    join residence.caution c on c.id_caution = h.id_caution where h.id_paiement = p_id_paiement;
  if found then
    perform core.refuser(409, 'PAIEMENT_DE_CAUTION',
      'Ce paiement est celui d''une caution : elle se rend par son contrat.',
      jsonb_build_object('operation', format('POST /residence/contrats/%s/caution/rembourser', v_id_contrat)));
  end if;
end $$;
comment on function residence._caution_refuser is
  'L''argent d''une caution ne s''annule pas, ne règle pas de facture et ne se rend que par elle. Refuse PAIEMENT_DE_CAUTION.';
