call core.liste(
  'residence.sejour_lister', 'residence.sejour_court_vue', 'v.date_heure_arrivee desc, v.id_sejour desc',
  'recherche: core._contient(v.client_nom, $) or core._contient(v.client_prenoms, $)
    or core._contient(v.numero_logement, $)',
  'type: type_prestation', 'statut', 'du: date_heure_arrivee', 'au: date_heure_arrivee', 'id_client', 'id_logement',
  'id_moyen_paiement', 'tarif', 'montant_total core.montant');
comment on function residence.sejour_lister is
  'Courts séjours, la dernière arrivée d''abord ; « du » et « au » portent sur l''arrivée.';
