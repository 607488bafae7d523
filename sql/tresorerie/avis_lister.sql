call core.liste('tresorerie.avis_lister', 'tresorerie.avis_vue', 'v.date desc, v.id_avis desc',
  'recherche: core._contient(v.reference, $) or core._contient(v.issue, $)', 'du: date', 'au: date', 'id_compte',
  'etat', 'signature', 'reference');
comment on function tresorerie.avis_lister is
  'Avis des fournisseurs, du plus récent au plus ancien, et ce que chacun est devenu.';
