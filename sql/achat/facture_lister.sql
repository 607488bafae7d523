call core.liste('achat.facture_lister', 'achat.achat_vue', 'v.date desc, v.id_achat desc',
  'recherche: core._contient(concat_ws('' '', v.numero, v.numero_fournisseur, v.fournisseur_nom), $)', 'du: date',
  'au: date', 'id_fournisseur', 'statut', 'numero', 'numero_fournisseur', 'id_activite');
comment on function achat.facture_lister is 'Factures des fournisseurs, la dernière d''abord.';
