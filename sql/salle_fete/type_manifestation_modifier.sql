create type salle_fete.type_manifestation_champs as (libelle core.libelle, actif boolean, code_taxe core.code);
comment on type salle_fete.type_manifestation_champs is 'Champs modifiables d''un type de manifestation.';

call core.modification(
  'salle_fete.type_manifestation_modifier', 'salle_fete.type_manifestation', 'salle_fete.type_manifestation_detail');
comment on function salle_fete.type_manifestation_modifier is
  'Renomme, désactive ou réactive un type de manifestation ; les réservations gardent le libellé qu''elles ont.';
