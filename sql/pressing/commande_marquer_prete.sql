create function pressing.commande_marquer_prete(p_id_commande bigint) returns pressing.commande_detail_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return pressing._commande_passer(p_id_commande, 'PRET');
comment on function pressing.commande_marquer_prete is 'Marque une commande prête, et le signale.';
