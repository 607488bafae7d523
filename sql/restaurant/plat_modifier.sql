create type restaurant.plat_champs as (
  nom core.libelle, id_categorie_plat bigint, prix core.montant, disponible boolean, description core.texte,
  image_url core.cle_objet, code_taxe core.code);
comment on type restaurant.plat_champs is 'Champs modifiables d''un plat.';

call core.modification('restaurant.plat_modifier', 'restaurant.plat', 'restaurant.plat_detail');
comment on function restaurant.plat_modifier is
  'Modifie les champs donnés d''un plat ; les commandes passées gardent leur prix.';
