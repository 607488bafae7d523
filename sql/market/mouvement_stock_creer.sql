call core.creation('market.mouvement_stock_creer', 'market.mouvement_stock', 'market._mouvement_stock',
  'market._activite()', 'id_produit', 'type', 'quantite', 'motif', 'document_ref');
comment on function market.mouvement_stock_creer is
  'Fait entrer, sortir ou ajuster le stock d''un produit ; la quantité d''un AJUSTEMENT est signée.';
