call core.modification('salle_fete.type_manifestation_modifier', 'salle_fete.type_manifestation',
  'salle_fete.type_manifestation_detail', 'libelle', 'actif', 'code_taxe core.code');
comment on type salle_fete.type_manifestation_champs is 'Champs modifiables d''un type de manifestation.';
comment on function salle_fete.type_manifestation_modifier is
  'Renomme, désactive ou réactive un type de manifestation ; les réservations gardent le libellé qu''elles ont.';
