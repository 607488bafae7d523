call core.liste('achat.reception_lister', 'achat.reception_vue', 'v.date desc, v.id_reception desc',
  'recherche: core._contient(concat_ws('' '', v.document_ref, v.fournisseur_nom), $)', 'du: date', 'au: date',
  'id_fournisseur', 'a_facturer', 'document_ref');
comment on function achat.reception_lister is
  'Réceptions, la dernière d''abord ; « a_facturer » garde celles dont la facture est attendue.';
