create function facturation.avoir_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_facture bigint default null, p_id_client bigint default null, p_id_activite bigint default null,
  p_numero text default null, p_du date default null, p_au date default null)
returns setof facturation.avoir_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('facturation.avoir_vue', $filtre$
        ($1 is null or core._contient(v.numero, $1) or core._contient(v.motif, $1)
                    or core._contient(v.client_nom || ' ' || v.client_prenoms, $1))
    and ($2 is null or v.id_facture = $2)
    and ($3 is null or v.id_client = $3)
    and ($4 is null or v.id_activite = $4)
    and ($5 is null or strpos(v.numero, upper($5)) > 0)
    and ($6 is null or v.date >= $6)
    and ($7 is null or v.date < $7)
  $filtre$, 'v.date desc, v.id_avoir desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_id_facture, p_id_client, coalesce(p_id_activite, core.activite()), p_numero,
        core.debut_du_jour(p_du), core.debut_du_jour(p_au + 1);
end $$;
comment on function facturation.avoir_lister is
  'Avoirs, du plus récent au plus ancien, annulations comprises. « du » et « au » sont des jours compris.';
