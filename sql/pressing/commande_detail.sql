call core.detail('pressing.commande_detail', 'pressing.commande_detail_vue', 'id_commande');
comment on function pressing.commande_detail is 'Une commande de pressing et son linge.';
