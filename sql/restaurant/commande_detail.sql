create function restaurant.commande_detail(p_id_commande bigint) returns restaurant.commande_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return restaurant._commande(p_id_commande);
comment on function restaurant.commande_detail is 'Une commande et ses lignes.';
