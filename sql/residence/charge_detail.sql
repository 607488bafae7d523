call core.detail('residence.charge_detail', 'residence.charge_facturee_vue', 'id_charge');
comment on function residence.charge_detail is 'Une charge et ce qui en est payé.';
