create function restaurant.plat_detail(p_id_plat bigint) returns restaurant.plat_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select p from restaurant.plat_vue p where p.id_plat = p_id_plat));
end $$;
comment on function restaurant.plat_detail is 'Un plat.';
