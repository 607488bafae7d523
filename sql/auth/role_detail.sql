create function auth.role_detail(p_id_role bigint) returns auth.role_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v auth.role_vue;
begin
  select * into strict v from auth.role_vue r where r.id_role = p_id_role;
  return v;
end $$;
comment on function auth.role_detail is 'Un rôle.';
