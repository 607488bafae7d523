call core.modification('market.categorie_produit_modifier', 'market.categorie_produit',
  'market.categorie_produit_detail', 'libelle', 'actif');
comment on type market.categorie_produit_champs is 'Champs modifiables d''une catégorie de produits.';
comment on function market.categorie_produit_modifier is 'Modifie une catégorie de produits, ou la réactive.';
