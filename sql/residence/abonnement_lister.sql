create function residence.abonnement_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_client bigint default null, p_id_logement bigint default null, p_service text default null,
  p_type residence.type_abonnement default null, p_montant core.montant default null,
  p_statut residence.statut_abonnement default null, p_du date default null, p_au date default null)
returns setof residence.abonnement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('residence.abonnement_vue', $filtre$
        ($1 is null or core._contient(v.service, $1) or core._contient(v.client_nom, $1)
                    or core._contient(v.client_prenoms, $1) or core._contient(v.numero_logement, $1))
    and ($2 is null or v.id_client = $2)
    and ($3 is null or v.id_logement = $3)
    and ($4 is null or core._contient(v.service, $4))
    and ($5 is null or v.type = $5)
    and ($6 is null or v.montant = $6)
    and ($7 is null or v.statut = $7)
    and ($8 is null or v.date_debut >= $8)
    and ($9 is null or v.date_debut <= $9)
  $filtre$, 'v.date_debut desc, v.id_abonnement desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_id_client, p_id_logement, p_service, p_type, p_montant, p_statut, p_du, p_au;
end $$;
comment on function residence.abonnement_lister is
  'Abonnements, le dernier commencé d''abord ; « du » et « au » portent sur leur début.';
