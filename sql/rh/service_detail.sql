create function rh.service_detail(p_id_service bigint) returns rh.service_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return rh._service(p_id_service);
comment on function rh.service_detail is 'Un service du personnel.';
