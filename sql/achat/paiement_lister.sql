call core.liste('achat.paiement_lister', 'achat.paiement_achat_vue', 'v.date desc, v.id_paiement desc',
  'recherche: core._contient(concat_ws('' '', v.reference, v.fournisseur_nom), $)', 'du: date', 'au: date',
  'id_fournisseur', 'id_moyen', 'id_caisse bigint := finances._caisse_demandee($)', 'id_compte', 'reference');
comment on function achat.paiement_lister is 'Paiements des factures d''achat, le dernier d''abord.';
