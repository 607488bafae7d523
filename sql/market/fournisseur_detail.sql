call core.detail('market.fournisseur_detail', 'market.fournisseur_vue', 'id_fournisseur');
comment on function market.fournisseur_detail is 'Un fournisseur.';
