call core.modification('market.fournisseur_modifier', 'market.fournisseur', 'market.fournisseur_detail', 'nom',
  'contact', 'telephone', 'email', 'adresse', 'actif');
comment on type market.fournisseur_champs is 'Champs modifiables d''un fournisseur.';
comment on function market.fournisseur_modifier is 'Modifie les champs donnés d''un fournisseur, ou le réactive.';
