call core.creation('pressing.type_vetement_creer', 'pressing.type_vetement', 'pressing.type_vetement_detail',
  'pressing._activite()', 'libelle');
comment on function pressing.type_vetement_creer is 'Ajoute un type de vêtement au catalogue du pressing.';
