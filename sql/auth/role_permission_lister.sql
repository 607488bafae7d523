create function auth.role_permission_lister(p_id_role bigint) returns setof auth.permission_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth.role_detail(p_id_role);
  return query
    select p.* from auth.permission_vue p
      join auth.role_permission rp on rp.id_permission = p.id_permission and rp.id_role = p_id_role
     order by p.id_permission;
end $$;
comment on function auth.role_permission_lister is 'Permissions d''un rôle.';
