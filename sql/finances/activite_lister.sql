create function finances.activite_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_actif boolean default null, p_code text default null, p_libelle text default null)
returns setof finances.activite_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('finances.activite_vue', $filtre$
        ($1 is null or core._contient(v.code, $1) or core._contient(v.libelle, $1))
    and ($2 is null or v.actif = $2)
    and ($3 is null or v.code = upper($3))
    and ($4 is null or core._contient(v.libelle, $4))
  $filtre$, 'v.id_activite', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_actif, p_code, p_libelle;
end $$;
comment on function finances.activite_lister is 'Liste les activités de l''entreprise.';
