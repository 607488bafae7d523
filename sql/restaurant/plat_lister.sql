call core.liste('restaurant.plat_lister', 'restaurant.plat_vue', 'v.nom, v.id_plat',
  'recherche: core._contient(concat_ws('' '', v.nom, v.description), $)', 'id_categorie_plat', 'disponible', 'nom',
  'prix');
comment on function restaurant.plat_lister is 'Plats de la carte, par nom, indisponibles compris.';
