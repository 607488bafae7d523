call core.creation('pressing.prestation_creer', 'pressing.prestation', 'pressing.prestation_detail',
  'pressing._activite()', 'libelle', 'code_taxe core.code default null');
comment on function pressing.prestation_creer is 'Ajoute une prestation au catalogue du pressing.';
