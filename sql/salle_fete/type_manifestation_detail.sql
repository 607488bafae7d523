call core.detail('salle_fete.type_manifestation_detail', 'salle_fete.type_manifestation_vue', 'id_type_manifestation');
comment on function salle_fete.type_manifestation_detail is 'Un type de manifestation.';
