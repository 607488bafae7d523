call core.modification('residence.categorie_charge_modifier', 'residence.categorie_charge',
  'residence.categorie_charge_detail', 'libelle', 'actif');
comment on type residence.categorie_charge_champs is 'Ce qui se modifie d''une catégorie de charge.';
comment on function residence.categorie_charge_modifier is
  'Modifie une catégorie de charge, ou la désactive : ses charges restent.';
