call core.detail('residence.abonnement_detail', 'residence.abonnement_vue', 'id_abonnement');
comment on function residence.abonnement_detail is 'Un abonnement et ce qui en est payé.';
