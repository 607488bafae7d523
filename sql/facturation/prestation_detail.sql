create function facturation.prestation_detail(p_id_prestation bigint) returns facturation.prestation_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return facturation._prestation(p_id_prestation);
comment on function facturation.prestation_detail is 'Une prestation.';
