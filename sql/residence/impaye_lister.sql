create type residence.statut_impaye as enum ('IMPAYE', 'PARTIEL');
comment on type residence.statut_impaye is 'État d''une échéance qui reste due.';

create function residence.impaye_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_client bigint default null, p_client text default null, p_numero_contrat text default null,
  p_logement text default null, p_batiment text default null, p_montant core.montant default null,
  p_du date default null, p_au date default null, p_statut residence.statut_impaye default null)
returns setof residence.loyer_impaye_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('residence.loyer_impaye_vue', $filtre$
        ($1 is null or v.id_contrat = any ($1))
    and ($2 is null or v.id_client = $2)
    and ($3 is null or v.montant = $3)
    and ($4 is null or v.date_echeance >= $4)
    and ($5 is null or v.date_echeance <= $5)
    and ($6 is null or v.statut = $6)
  $filtre$, 'v.date_echeance, v.id_echeance', p_sort, p_order, p_limit, p_offset)
  using residence._contrats_rechercher(p_recherche, p_numero_contrat, p_client, p_logement, p_batiment), p_id_client,
        p_montant, p_du, p_au, p_statut::text::residence.statut_echeance;
end $$;
comment on function residence.impaye_lister is
  'Liste les loyers échus et impayés ou payés en partie, le plus ancien d''abord ; « batiment » est un code ou un nom, « du » et « au » bornent l''échéance, jours compris.';
