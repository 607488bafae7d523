call core.detail('market.categorie_produit_detail', 'market.categorie_produit_vue', 'id_categorie_produit');
comment on function market.categorie_produit_detail is 'Une catégorie de produit.';
