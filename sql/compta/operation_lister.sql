call core.liste('compta.operation_lister', 'compta.operation_vue', 'v.date desc, v.id_operation desc',
  'recherche: core._contient(v.numero, $) or core._contient(v.libelle, $) or core._contient(v.motif, $)',
  'du: date', 'au: date', 'ouverture', 'id_activite');
comment on function compta.operation_lister is 'Opérations du comptable et à-nouveaux, de la plus récente à la plus ancienne.';
