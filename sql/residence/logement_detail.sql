call core.detail('residence.logement_detail', 'residence.logement_vue', 'id_logement');
comment on function residence.logement_detail is 'Un logement.';
