call core.retrait('market.categorie_produit_desactiver', 'market.categorie_produit_detail',
  'update market.categorie_produit set actif = false');
comment on function market.categorie_produit_desactiver is
  'Désactive une catégorie de produits : elle sort des listes, ses produits la gardent.';
