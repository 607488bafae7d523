call core.liste(
  'abonnement.souscription_lister', 'abonnement.souscription_vue', 'v.date_creation desc, v.id_souscription desc',
  'recherche: core._contient(
    concat_ws('' '', v.client_nom, v.client_prenoms, v.offre_code, v.offre_libelle, v.facture_numero), $)',
  'id_client', 'id_offre', 'activite', 'unite', 'statut', 'etat', 'reliquat', 'reliquat_a_decider', 'id_prestation',
  'id_facture', 'debut_du: date_debut', 'debut_au: date_debut', 'fin_du: date_fin', 'fin_au: date_fin');
comment on function abonnement.souscription_lister is
  'Abonnements vendus, le dernier d''abord, clos compris ; « debut_du » à « fin_au » sont des jours compris.';
