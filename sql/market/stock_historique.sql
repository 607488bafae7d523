call core.liste('market.stock_historique', 'market.mouvement_stock_vue', 'v.date desc, v.id_mouvement desc',
  'recherche: core._contient(concat_ws('' '', v.reference, v.nom, v.motif, v.document_ref), $)', 'reference', 'type',
  'du: date', 'au: date', 'quantite_mouvement', 'id_produit');
comment on function market.stock_historique is
  'Mouvements de stock, du plus récent au plus ancien, avec le stock qu''ils laissent. « du » et « au » sont des jours compris.';
