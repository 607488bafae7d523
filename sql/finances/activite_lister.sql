call core.liste('finances.activite_lister', 'finances.activite_vue', 'v.id_activite',
  'recherche: core._contient(v.code, $) or core._contient(v.libelle, $)', 'actif', 'code: v.code = upper($)',
  'libelle');
comment on function finances.activite_lister is 'Liste les activités de l''entreprise.';
