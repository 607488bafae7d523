call core.creation('residence.logement_creer', 'residence.logement', 'residence.logement_detail', null, 'id_batiment',
  'type', 'tarif', 'numero core.libelle default null', 'nom', 'equipements', 'statut', 'etat',
  'code_taxe core.code default null');
comment on function residence.logement_creer is
  'Crée un logement. Sans numéro, la base lui donne le suivant de son bâtiment : <ORG>-<TYPE><NN>-<CODE>.';
