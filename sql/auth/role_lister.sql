create function auth.role_lister() returns setof auth.role_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select r.id_role, r.code, r.libelle, r.description from auth.role_vue r order by r.id_role;
end;
comment on function auth.role_lister is 'Liste les rôles.';
