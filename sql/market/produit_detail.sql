call core.detail('market.produit_detail', 'market.produit_vue', 'id_produit');
comment on function market.produit_detail is 'Un produit et son stock.';
