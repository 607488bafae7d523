call core.liste('tresorerie.demande_lister', 'tresorerie.demande_vue', 'v.date desc, v.id_demande desc',
  'recherche: core._contient(v.reference, $) or core._contient(v.libelle, $)', 'du: date', 'au: date', 'id_compte',
  'id_facture', 'statut', 'reference');
comment on function tresorerie.demande_lister is 'Demandes d''argent, de la plus récente à la plus ancienne.';
