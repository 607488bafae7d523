call core.creation('market.categorie_produit_creer', 'market.categorie_produit', 'market.categorie_produit_detail',
  'market._activite()', 'libelle');
comment on function market.categorie_produit_creer is 'Ajoute une catégorie de produits.';
