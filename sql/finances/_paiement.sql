-- The rules of a new payment are in reglement/_paiement.sql.

create function finances._tables_du_reglement() returns regclass[]
language sql stable parallel safe
return array['facturation.facture'::regclass, 'facturation.facture_ligne', 'finances.paiement',
             'finances.application_paiement'];
comment on function finances._tables_du_reglement is
  'Tables que tout règlement écrit : leurs règles sont dans des déclencheurs sans WHEN, sans CHECK ni colonne engendrée.';

-- A payment settles the invoice that it names with its whole amount, or the invoices of its parts. The view reads its
-- tables with the rights of the caller, so the portal shares it. Two parts of the same types without a condition of
-- their own: PostgreSQL then joins them by their indexes instead of reading every payment.
create view finances.imputation_vue with (security_invoker = true) as
select i.id_paiement, i.id_facture, i.montant, i.id_application, i.jour
  from (select p.id_paiement, p.id_facture,
               case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end as montant,
               null::bigint as id_application, null::date as jour
          from finances.paiement p
        union all
        select a.id_paiement, a.id_facture, a.montant::numeric, a.id_application, a.jour
          from finances.application_paiement a) i
 where i.id_facture is not null;
comment on view finances.imputation_vue is 'Ce que chaque paiement règle, par facture ; négatif pour un paiement contraire.';
comment on column finances.imputation_vue.id_application is 'Null quand le paiement règle une seule facture, de tout son montant.';
comment on column finances.imputation_vue.jour is 'Jour d''un excédent appliqué, null de ce qu''un paiement règle dès son jour.';

create view finances._paiement_brut_vue as
select p.id_paiement, p.date, p.montant, p.id_moyen, p.id_activite, p.type, p.motif, p.id_utilisateur, p.reference,
       p.id_caisse,
       coalesce(p.id_facture, (select case when min(a.id_facture) = max(a.id_facture) then min(a.id_facture) end
                                 from finances.application_paiement a
                                where a.id_paiement = p.id_paiement)) as id_facture,
       p.id_paiement_origine,
       exists (select from finances.paiement c where c.id_paiement_origine = p.id_paiement and c.annulation) as annule
  from finances.paiement p
 where (p.credit or core._visible(p.id_caisse, (select core.caisse())))
   and core._visible(p.id_activite, (select core.activite()));
comment on view finances._paiement_brut_vue is
  'Paiements que l''utilisateur peut voir, leur référence telle qu''elle a été donnée : ce que les listes cherchent et trient.';

create view finances.paiement_vue as
select b.id_paiement, b.date, b.montant, b.id_moyen, b.id_activite, b.type, b.motif, b.id_utilisateur,
       coalesce(b.reference, f.numero)::core.libelle as reference,
       b.id_caisse, f.id_facture, b.id_paiement_origine, b.annule
  from finances._paiement_brut_vue b
  left join facturation.facture f on f.id_facture = b.id_facture;
comment on view finances.paiement_vue is 'Paiements que l''utilisateur peut voir : ceux de sa caisse, de son activité, ou tous.';
comment on column finances.paiement_vue.reference is 'Celle qui a été donnée, sinon le numéro de la facture réglée quand il n''y en a qu''une.';
comment on column finances.paiement_vue.annule is 'Vrai quand un paiement contraire annule celui-ci, saisi par erreur.';
comment on column finances.paiement_vue.id_facture is 'Facture réglée, null si le paiement n''en règle aucune ou en règle plusieurs.';
call core.peut_etre_null('finances.paiement_vue', 'id_facture', 'annule');

create view finances.paiement_detail_vue as
select p.*, (select row(f.id_facture, f.montant_total, f.montant_paye, f.reste, f.statut)::facturation.facture_solde
               from facturation.facture f where f.id_facture = p.id_facture) as facture
  from finances.paiement_vue p;
comment on view finances.paiement_detail_vue is 'Paiement et solde de la facture qu''il règle.';
call core.peut_etre_null('finances.paiement_detail_vue', 'facture');

create function finances._paiements_du_numero(p_recherche text) returns setof bigint
language sql stable
begin atomic
  select a.id_paiement
    from facturation.facture f
    join finances.imputation_vue a on a.id_facture = f.id_facture
   where strpos(f.numero, upper(p_recherche)) > 0;
end;
comment on function finances._paiements_du_numero is 'Paiements des factures dont le numéro contient ce texte.';

create function finances._paiement_numero(p_id_paiement bigint) returns text
language sql immutable parallel safe
return 'PAIEMENT-' || p_id_paiement;
comment on function finances._paiement_numero is 'Numéro du reçu d''un paiement : sa référence est un texte libre.';

create function finances._t10_paiement_dater() returns trigger
language plpgsql volatile as $$
begin
  perform finances._periode_exiger(
    old.id_caisse, old.id_periode, 'La période de caisse de ce paiement est fermée : sa date ne change plus.');
  new.jour := core.jour(new.date);
  if new.jour <> old.jour then
    perform finances._jour_a_compter(old.id_caisse, old.jour);
    perform finances._credit_deplacer(old, new);
  end if;
  perform finances._caisse_verifier(new.id_caisse, new.id_periode, new.id_activite, new.jour);
  return new;
end $$;
comment on function finances._t10_paiement_dater is 'Jour de la nouvelle date d''un paiement.';

create trigger t10_paiement_dater before update of date, jour on finances.paiement
  for each row when (old.date <> new.date or old.jour <> new.jour) execute function finances._t10_paiement_dater();

create function finances._sortie(p_paiement finances.paiement) returns numeric
language sql immutable parallel safe
return case (p_paiement).type when 'DECAISSEMENT' then (p_paiement).montant else -(p_paiement).montant end;
comment on function finances._sortie is 'Montant d''un paiement : positif s''il sort, négatif s''il entre.';

create function finances._paiement_rendu(p_id_paiement bigint) returns numeric
language sql stable
return (select coalesce(sum(finances._sortie(c)), 0)
          from finances.paiement c where c.id_paiement_origine = p_id_paiement);
comment on function finances._paiement_rendu is 'Ce qu''un encaissement a rendu, moins ce qui en est repris au crédit.';

create function finances._contraire_exiger(p_paiement finances.paiement) returns void
language plpgsql volatile as $$
declare
  v_recu core.montant;
  v_rendu numeric;
begin
  select p.montant into v_recu from finances.paiement p
   where p.id_paiement = p_paiement.id_paiement_origine for no key update;
  v_rendu := finances._paiement_rendu(p_paiement.id_paiement_origine) + finances._sortie(p_paiement);
  if v_rendu not between 0 and v_recu or p_paiement.type = 'ENCAISSEMENT' and not p_paiement.credit then
    perform core.refuser(409, 'PAIEMENT_DEJA_RENDU',
                         'Ce paiement est déjà rendu, ou l''on rendrait plus qu''il n''a été reçu.');
  end if;
end $$;
comment on function finances._contraire_exiger is
  'Un paiement contraire ne rend jamais, avec ceux d''avant, plus que ce qui a été reçu ; ce qui a été rendu au crédit du client peut y être repris. Refuse PAIEMENT_DEJA_RENDU.';

create function finances._t20_paiement_fige() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(409, 'PAIEMENT_FIGE',
                       'Un paiement ne change ni ne s''efface : il s''annule par un paiement contraire.');
  return null;
end $$;
comment on function finances._t20_paiement_fige is 'Refuse de réécrire l''argent et ce qu''il règle, à la main aussi.';

create trigger t20_paiement_fige before delete or update of id_paiement, montant, type, id_activite, id_caisse,
  id_periode, id_utilisateur, id_paiement_origine, annulation, id_client, credit, id_facture on finances.paiement
  for each row execute function finances._t20_paiement_fige();

create trigger t20_paiement_credit_fige before update of id_moyen on finances.paiement
  for each row when (new.id_moyen <> old.id_moyen and new.credit <> finances._est_credit(new.id_moyen))
  execute function core._t20_refuser('409', 'MOYEN_CREDIT_FIGE',
    'Un paiement ne passe pas d''un moyen au crédit du client, ni l''inverse : annulez-le et refaites-le.');

create trigger t20_application_figee before delete or update on finances.application_paiement
  for each row execute function finances._t20_paiement_fige();

create function finances._applicable(p_type finances.type_paiement, p_montant core.montant, p_applique numeric)
returns boolean
language sql immutable parallel safe
return p_applique between case p_type when 'ENCAISSEMENT' then 0 else -p_montant end
                      and case p_type when 'ENCAISSEMENT' then p_montant else 0 end;
comment on function finances._applicable is 'Vrai si un paiement, reçu ou rendu, peut régler cette somme.';
