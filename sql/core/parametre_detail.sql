create function core.parametre_detail(p_cle text) returns core.parametre_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v core.parametre_vue;
begin
  select * into strict v from core.parametre_vue p where p.cle = p_cle;
  return v;
end $$;
comment on function core.parametre_detail is 'Un paramètre, par sa clé.';
