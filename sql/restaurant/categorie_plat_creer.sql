call core.creation('restaurant.categorie_plat_creer', 'restaurant.categorie_plat', 'restaurant._categorie_plat',
  'restaurant._activite()', 'libelle');
comment on function restaurant.categorie_plat_creer is 'Ajoute une catégorie de plats.';
