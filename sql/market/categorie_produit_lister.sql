call core.liste(
  'market.categorie_produit_lister', 'market.categorie_produit_vue', 'v.libelle, v.id_categorie_produit',
  'recherche: libelle', 'libelle', 'actif boolean default true');
comment on function market.categorie_produit_lister is
  'Catégories de produits, par libellé ; « actif=false » montre celles qui sont désactivées.';
