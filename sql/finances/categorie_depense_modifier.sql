call core.modification('finances.categorie_depense_modifier', 'finances.categorie_depense',
  'finances.categorie_depense_detail', 'libelle');
comment on type finances.categorie_depense_champs is 'Ce qui se modifie d''une catégorie de dépense.';
comment on function finances.categorie_depense_modifier is 'Modifie une catégorie de dépense.';
