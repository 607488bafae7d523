call core.liste_entiere('finances.categorie_depense_lister', 'finances.categorie_depense_vue',
  'v.libelle, v.id_categorie_depense');
comment on function finances.categorie_depense_lister is 'Liste les catégories de dépenses.';
