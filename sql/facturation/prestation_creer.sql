call core.creation('facturation.prestation_creer', 'facturation.prestation', 'facturation.prestation_detail', null,
  'libelle', 'prix', 'categorie', 'description', 'id_activite := facturation._activite_permise($)', 'actif',
  'code_taxe core.code default null');
comment on function facturation.prestation_creer is
  'Ajoute une prestation facturable. Sans activité, elle est celle de l''utilisateur, sinon de toutes.';
