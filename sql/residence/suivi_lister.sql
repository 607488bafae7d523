-- The texts are replaced with leases, the month and year with days, and the unpaid state with the condition of the
-- index: the plan can then use all three conditions.
create function residence.suivi_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_numero_contrat text default null, p_client text default null, p_logement text default null,
  p_batiment text default null, p_mois integer default null, p_annee integer default null,
  p_montant core.montant default null, p_du date default null, p_au date default null,
  p_statut residence.statut_echeance default null, p_id_utilisateur_encaisseur bigint default null)
returns setof residence.suivi_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('residence.suivi_vue', $filtre$
        ($1 is null or v.id_contrat = any ($1))
    and ($2 is null or v.mois = $2)
    and ($3 is null or v.annee = $3)
    and ($4 is null or v.montant = $4)
    and ($5 is null or v.date_echeance >= $5)
    and ($6 is null or v.date_echeance <= $6)
    and ($7 is null or v.statut = $7)
    and (not $8 or v.montant_paye < v.montant)
    and ($9 is null or v.id_utilisateur_encaisseur = $9)
  $filtre$, residence._ordre_du_suivi(), p_sort, p_order, p_limit, p_offset)
  using residence._contrats_rechercher(p_recherche, p_numero_contrat, p_client, p_logement, p_batiment),
        p_mois, p_annee, p_montant,
        greatest(p_du, residence._debut_du_mois(p_annee, p_mois)),
        least(p_au, residence._fin_du_mois(p_annee, p_mois)),
        p_statut, coalesce(p_statut in ('IMPAYE', 'PARTIEL'), false), p_id_utilisateur_encaisseur;
end $$;
comment on function residence.suivi_lister is
  'Suivi des loyers : ce qui reste dû d''abord, le plus ancien en tête, puis ce qui est payé, le plus récent en tête. La recherche porte sur le contrat, le client et le logement ; « batiment » est son code ou son nom ; « du » et « au » bornent l''échéance, jours compris.';

-- The index echeance_suivi has the same expressions.
create function residence._ordre_du_suivi() returns text
language sql immutable parallel safe
return '(v.montant_paye >= v.montant), '
  '(case when v.montant_paye < v.montant then v.date_echeance - date ''2000-01-01'''
  ' else date ''2000-01-01'' - v.date_echeance end), '
  'v.id_echeance';
comment on function residence._ordre_du_suivi is 'Tri du suivi : impayé par date, puis payé par date décroissante.';

create function residence._debut_du_mois(p_annee integer, p_mois integer) returns date
language sql immutable parallel safe
return case when p_annee between 1900 and 2200
            then make_date(p_annee, case when p_mois between 1 and 12 then p_mois else 1 end, 1) end;
comment on function residence._debut_du_mois is 'Premier jour du mois, ou de l''année sans mois ; null sans année.';

create function residence._fin_du_mois(p_annee integer, p_mois integer) returns date
language sql immutable parallel safe
return (residence._debut_du_mois(p_annee, p_mois)
        + case when p_mois between 1 and 12 then interval '1 month' else interval '1 year' end)::date - 1;
comment on function residence._fin_du_mois is 'Dernier jour du mois, ou de l''année sans mois ; null sans année.';
