call core.modification('restaurant.plat_modifier', 'restaurant.plat', 'restaurant.plat_detail', 'nom',
  'id_categorie_plat', 'prix', 'disponible', 'description', 'image_url', 'code_taxe core.code');
comment on type restaurant.plat_champs is 'Champs modifiables d''un plat.';
comment on function restaurant.plat_modifier is
  'Modifie les champs donnés d''un plat ; les commandes passées gardent leur prix.';
