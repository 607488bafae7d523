create function auth.role_detail(p_id_role bigint) returns auth.role_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return auth._role(p_id_role);
comment on function auth.role_detail is 'Un rôle.';
