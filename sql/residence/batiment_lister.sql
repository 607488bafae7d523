call core.liste('residence.batiment_lister', 'residence.batiment_vue', 'v.code, v.id_batiment',
  'recherche: core._contient(v.code, $) or core._contient(v.nom, $) or core._contient(v.adresse, $)', 'code', 'nom',
  'actif');
comment on function residence.batiment_lister is 'Liste les bâtiments, par code.';
