create function residence.batiment_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_code text default null, p_nom text default null, p_actif boolean default null)
returns setof residence.batiment_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('residence.batiment_vue', $filtre$
        ($1 is null or core._contient(v.code, $1) or core._contient(v.nom, $1) or core._contient(v.adresse, $1))
    and ($2 is null or core._contient(v.code, $2))
    and ($3 is null or core._contient(v.nom, $3))
    and ($4 is null or v.actif = $4)
  $filtre$, 'v.code, v.id_batiment', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_code, p_nom, p_actif;
end $$;
comment on function residence.batiment_lister is 'Liste les bâtiments, par code.';
