create function core.parametre_lister(
  p_cle text default null, p_recherche text default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0)
returns setof core.parametre_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('core.parametre_vue', $filtre$
        ($1 is null or core._contient(v.cle, $1))
    and ($2 is null or core._contient(v.cle, $2) or core._contient(v.valeur, $2))
  $filtre$, 'v.cle', null, null, p_limit, p_offset)
  using p_cle, p_recherche;
end $$;
comment on function core.parametre_lister is
  'Liste les paramètres par clé ; la recherche porte sur la clé et la valeur.';
