create function pressing.prestation_detail(p_id_prestation bigint) returns pressing.prestation_pressing_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return pressing._prestation(p_id_prestation);
comment on function pressing.prestation_detail is 'Une prestation du catalogue.';
