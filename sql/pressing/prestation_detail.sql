create function pressing.prestation_detail(p_id_prestation bigint) returns pressing.prestation_pressing_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select p from pressing.prestation_pressing_vue p where p.id_prestation = p_id_prestation));
end $$;
comment on function pressing.prestation_detail is 'Une prestation du catalogue.';
