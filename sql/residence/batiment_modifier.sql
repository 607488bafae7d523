create type residence.batiment_champs as (
  code residence.code_batiment, nom core.libelle, adresse core.texte, actif boolean);
comment on type residence.batiment_champs is 'Ce qui se modifie dans un bâtiment.';

call core.modification('residence.batiment_modifier', 'residence.batiment', 'residence.batiment_detail');
comment on function residence.batiment_modifier is
  'Modifie un bâtiment ; les numéros déjà donnés à ses logements restent.';
