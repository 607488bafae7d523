create function market.categorie_produit_detail(p_id_categorie_produit bigint) returns market.categorie_produit_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return market._categorie_produit(p_id_categorie_produit);
comment on function market.categorie_produit_detail is 'Une catégorie de produit.';
