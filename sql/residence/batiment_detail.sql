create function residence.batiment_detail(p_id_batiment bigint) returns residence.batiment_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return residence._batiment(p_id_batiment);
comment on function residence.batiment_detail is 'Un bâtiment.';
