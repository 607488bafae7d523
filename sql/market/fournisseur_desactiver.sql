call core.retrait('market.fournisseur_desactiver', 'market.fournisseur_detail',
  'update market.fournisseur set actif = false');
comment on function market.fournisseur_desactiver is
  'Désactive un fournisseur : il sort des listes, ses produits le gardent.';
