create function core.parametre_detail(p_cle text) returns core.parametre_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((select p from core.parametre_vue p where p.cle = p_cle));
comment on function core.parametre_detail is 'Un paramètre, par sa clé.';
