call core.modification('market.produit_modifier', 'market.produit', 'market.produit_detail', 'nom',
  'id_categorie_produit', 'prix_achat', 'prix_vente', 'seuil_alerte', 'id_fournisseur', 'actif', 'image_url',
  'reference core.libelle', 'code_barre market.code_barre', 'code_taxe core.code');
comment on type market.produit_champs is 'Champs modifiables d''un produit ; son stock ne change que par des mouvements.';
comment on function market.produit_modifier is
  'Modifie les champs donnés d''un produit ; les ventes passées gardent leur prix, le stock ne change pas.';
