create function auth.permission_lister() returns setof auth.permission_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select p.id_permission, p.code, p.libelle from auth.permission_vue p order by p.id_permission;
end;
comment on function auth.permission_lister is 'Catalogue des permissions.';
