call core.modification('residence.batiment_modifier', 'residence.batiment', 'residence.batiment_detail', 'code',
  'nom', 'adresse', 'actif');
comment on type residence.batiment_champs is 'Ce qui se modifie dans un bâtiment.';
comment on function residence.batiment_modifier is
  'Modifie un bâtiment ; les numéros déjà donnés à ses logements restent.';
