call core.detail('residence.sejour_detail', 'residence.sejour_court_vue', 'id_sejour');
comment on function residence.sejour_detail is 'Un séjour et ce qui en est payé.';
