call core.liste('residence.abonnement_lister', 'residence.abonnement_vue', 'v.date_debut desc, v.id_abonnement desc',
  'recherche: core._contient(v.service, $) or core._contient(v.client_nom, $) or core._contient(v.client_prenoms, $)
    or core._contient(v.numero_logement, $)',
  'id_client', 'id_logement', 'service', 'type', 'montant', 'statut', 'du: date_debut', 'au: date_debut');
comment on function residence.abonnement_lister is
  'Abonnements, le dernier commencé d''abord ; « du » et « au » portent sur leur début.';
