call core.liste_entiere('compta.compte_lister', 'compta.compte_vue',
  'v.genre, v.id_activite nulls first, v.id_moyen, v.id_caisse, v.id_categorie_depense, v.code_taxe');
comment on function compta.compte_lister is
  'Tous les cas et leur compte ; ceux qui n''en ont pas prennent celui de leur cas général, qui doit en avoir un.';
