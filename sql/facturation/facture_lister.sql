-- When the user is bound to an activity, the query gets it as a value too, so that the plan can use its index.
create function facturation.facture_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_statut facturation.statut_facture default null, p_source_type facturation.source_type default null,
  p_id_client bigint default null, p_id_activite bigint default null, p_numero text default null,
  p_libelle text default null, p_montant_total core.montant default null, p_du date default null,
  p_au date default null) returns setof facturation.facture_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('facturation.facture_vue', $filtre$
        ($1 is null or core._contient(v.numero, $1) or core._contient(v.libelle, $1)
                    or core._contient(v.client_nom || ' ' || v.client_prenoms, $1))
    and ($2 is null or v.statut = $2)
    and ($3 is null or v.source_type = $3)
    and ($4 is null or v.id_client = $4)
    and ($5 is null or v.id_activite = $5)
    and ($6 is null or strpos(v.numero, upper($6)) > 0)
    and ($7 is null or core._contient(v.libelle, $7))
    and ($8 is null or v.montant_total = $8)
    and ($9 is null or v.date >= $9)
    and ($10 is null or v.date < $10)
  $filtre$, 'v.date desc, v.id_facture desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_statut, p_source_type, p_id_client, coalesce(p_id_activite, core.activite()), p_numero,
        p_libelle, p_montant_total, core.debut_du_jour(p_du), core.debut_du_jour(p_au + 1);
end $$;
comment on function facturation.facture_lister is
  'Factures, de la plus récente à la plus ancienne, annulées comprises. « du » et « au » sont des jours compris.';
