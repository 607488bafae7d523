create function restaurant.plat_detail(p_id_plat bigint) returns restaurant.plat_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return restaurant._plat(p_id_plat);
comment on function restaurant.plat_detail is 'Un plat.';
