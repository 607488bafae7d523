create function core.parametre_detail(p_cle text) returns core.parametre_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select p from core.parametre_vue p where p.cle = p_cle));
end $$;
comment on function core.parametre_detail is 'Un paramètre, par sa clé.';
