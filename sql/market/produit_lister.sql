call core.liste('market.produit_lister', 'market.produit_vue', 'v.nom, v.id_produit',
  'recherche: core._contient(concat_ws('' '', v.reference, v.nom, v.code_barre), $)', 'id_categorie_produit',
  'id_fournisseur', 'reference', 'nom', 'prix_achat', 'prix_vente', 'entree_du: date_entree',
  'entree_au: date_entree', 'actif');
comment on function market.produit_lister is
  'Produits, par nom, désactivés compris ; la recherche porte sur la référence, le nom et le code-barres.';
