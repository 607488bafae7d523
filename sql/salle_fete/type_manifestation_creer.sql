call core.creation('salle_fete.type_manifestation_creer', 'salle_fete.type_manifestation',
  'salle_fete.type_manifestation_detail', 'salle_fete._activite()', 'libelle', 'code_taxe core.code default null');
comment on function salle_fete.type_manifestation_creer is 'Ajoute un type de manifestation au catalogue.';
