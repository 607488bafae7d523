create function rh.service_detail(p_id_service bigint) returns rh.service_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select s from rh.service_vue s where s.id_service = p_id_service));
end $$;
comment on function rh.service_detail is 'Un service du personnel.';
