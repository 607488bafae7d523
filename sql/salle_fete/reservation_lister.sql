call core.liste('salle_fete.reservation_lister', 'salle_fete.reservation_vue',
  'v.date_evenement desc, v.heure_debut desc, v.id_reservation desc',
  'recherche: core._contient(concat_ws('' '', v.nom_client, v.type_manifestation, v.observations), $)',
  'du: date_evenement', 'au: date_evenement', 'statut', 'id_client', 'type_manifestation', 'tarif', 'observations');
comment on function salle_fete.reservation_lister is
  'Réservations de la salle, de la plus lointaine à la plus ancienne, annulées comprises. « du » et « au » sont des dates d''événement, comprises.';
