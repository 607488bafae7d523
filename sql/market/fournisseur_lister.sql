call core.liste('market.fournisseur_lister', 'market.fournisseur_vue', 'v.nom, v.id_fournisseur',
  'recherche: core._contient(concat_ws('' '', v.nom, v.contact, v.telephone, v.email, v.adresse), $)', 'nom',
  'contact', 'telephone', 'email', 'adresse', 'actif boolean default true');
comment on function market.fournisseur_lister is
  'Fournisseurs, par nom ; « actif=false » montre ceux qui sont désactivés.';
