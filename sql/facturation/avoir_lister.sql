call core.liste('facturation.avoir_lister', 'facturation.avoir_vue', 'v.date desc, v.id_avoir desc',
  'recherche: core._contient(v.numero, $) or core._contient(v.motif, $)
    or core._contient(v.client_nom || '' '' || v.client_prenoms, $)',
  'id_facture', 'id_client', 'id_activite := coalesce($, core.activite())', 'numero: strpos(v.numero, upper($)) > 0',
  'du: date', 'au: date');
comment on function facturation.avoir_lister is
  'Avoirs, du plus récent au plus ancien, annulations comprises. « du » et « au » sont des jours compris.';
