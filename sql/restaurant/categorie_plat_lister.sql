call core.liste_entiere('restaurant.categorie_plat_lister', 'restaurant.categorie_plat_vue',
  'v.libelle, v.id_categorie_plat');
comment on function restaurant.categorie_plat_lister is 'Catégories de plats, par libellé.';
