call core.liste_entiere('salle_fete.type_manifestation_lister', 'salle_fete.type_manifestation_vue',
  'v.libelle, v.id_type_manifestation');
comment on function salle_fete.type_manifestation_lister is
  'Types de manifestation du catalogue, par libellé ; ceux qui sont désactivés ne servent plus à de nouvelles réservations.';
