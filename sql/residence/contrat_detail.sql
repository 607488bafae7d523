call core.detail('residence.contrat_detail', 'residence.contrat_location_detail_vue', 'id_contrat');
comment on function residence.contrat_detail is 'Un contrat, ses échéances et les révisions de son loyer.';
