create function pressing.commande_detail(p_id_commande bigint) returns pressing.commande_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return pressing._commande(p_id_commande);
comment on function pressing.commande_detail is 'Une commande de pressing et son linge.';
