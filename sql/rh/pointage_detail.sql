create function rh.pointage_detail(p_id_pointage bigint) returns rh.pointage_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select p from rh.pointage_vue p where p.id_pointage = p_id_pointage));
end $$;
comment on function rh.pointage_detail is 'Un pointage.';
