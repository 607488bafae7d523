create function market.vente_detail(p_id_vente bigint) returns market.vente_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return market._vente(p_id_vente);
comment on function market.vente_detail is 'Une vente et ses lignes.';
