call core.liste('tresorerie.releve_lister', 'tresorerie.releve_vue', 'v.date_creation desc, v.id_releve desc',
  'recherche: core._contient(v.fichier, $)', 'id_compte');
comment on function tresorerie.releve_lister is 'Relevés reçus, le dernier d''abord.';
