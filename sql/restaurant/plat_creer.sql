call core.creation('restaurant.plat_creer', 'restaurant.plat', 'restaurant.plat_detail', 'restaurant._activite()',
  'nom', 'prix', 'id_categorie_plat', 'disponible', 'description', 'image_url', 'code_taxe core.code default null');
comment on function restaurant.plat_creer is 'Ajoute un plat à la carte.';
