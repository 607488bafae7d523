create function rh.employe_detail(p_id_employe bigint) returns rh.employe_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return rh._employe(p_id_employe);
comment on function rh.employe_detail is 'Un employé.';
