call core.liste('rh.pointage_lister', 'rh.pointage_vue', 'v.date desc, v.id_pointage desc',
  'recherche: core._contient(concat_ws('' '', v.employe_nom, v.employe_prenom, v.employe_nom, v.note), $)',
  'employe: id_employe',
  'service bigint: v.id_employe in (select e.id_employe from rh.employe e where e.id_service = $)', 'du: date',
  'au: date', 'statut');
comment on function rh.pointage_lister is
  'Pointages, du plus récent au plus ancien ; « employe » et « service » sont des identifiants.';
