call core.creation('market.fournisseur_creer', 'market.fournisseur', 'market.fournisseur_detail', 'market._activite()',
  'nom', 'contact', 'telephone', 'email', 'adresse');
comment on function market.fournisseur_creer is 'Ajoute un fournisseur.';
