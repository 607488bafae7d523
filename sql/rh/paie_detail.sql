create function rh.paie_detail(p_id_paie bigint) returns rh.paie_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((select d from rh.paie_detail_vue d where (d.paie).id_paie = p_id_paie));
comment on function rh.paie_detail is 'Un bulletin de paie et ses éléments.';
