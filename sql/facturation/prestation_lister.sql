call core.liste('facturation.prestation_lister', 'facturation.prestation_vue', 'v.libelle, v.id_prestation',
  'recherche: core._contient(v.libelle, $) or core._contient(v.categorie, $) or core._contient(v.description, $)',
  'actif', 'libelle', 'categorie', 'prix');
comment on function facturation.prestation_lister is 'Prestations facturables, par libellé.';
