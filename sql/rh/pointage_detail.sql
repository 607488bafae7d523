create function rh.pointage_detail(p_id_pointage bigint) returns rh.pointage_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return rh._pointage(p_id_pointage);
comment on function rh.pointage_detail is 'Un pointage.';
