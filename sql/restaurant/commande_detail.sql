call core.detail('restaurant.commande_detail', 'restaurant.commande_detail_vue', 'id_commande');
comment on function restaurant.commande_detail is 'Une commande et ses lignes.';
