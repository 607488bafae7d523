create function facturation.avoir_detail(p_id_avoir bigint) returns facturation.avoir_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return facturation._avoir(p_id_avoir);
comment on function facturation.avoir_detail is 'Un avoir et ses lignes.';
