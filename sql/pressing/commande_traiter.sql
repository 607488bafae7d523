create function pressing.commande_traiter(p_id_commande bigint) returns pressing.commande_detail_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return pressing._commande_passer(p_id_commande, 'EN_TRAITEMENT');
comment on function pressing.commande_traiter is 'Met une commande en traitement ; elle ne se modifie plus ensuite.';
