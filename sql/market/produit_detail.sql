create function market.produit_detail(p_id_produit bigint) returns market.produit_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return market._produit(p_id_produit);
comment on function market.produit_detail is 'Un produit et son stock.';
