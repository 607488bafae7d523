-- When the user is bound to an activity, the query gets it as a value too, so that the plan can use its index.
call core.liste('facturation.facture_lister', 'facturation.facture_vue', 'v.date desc, v.id_facture desc',
  'recherche: core._contient(v.numero, $) or core._contient(v.ticket, $) or core._contient(v.libelle, $)
    or core._contient(v.client_nom || '' '' || v.client_prenoms, $)',
  'statut', 'source_type', 'id_client', 'id_activite := coalesce($, core.activite())',
  'numero: strpos(v.numero, upper($)) > 0', 'libelle', 'montant_total core.montant', 'du: date', 'au: date');
comment on function facturation.facture_lister is
  'Factures, de la plus récente à la plus ancienne, annulées comprises. « du » et « au » sont des jours compris.';
