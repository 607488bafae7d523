call core.detail('facturation.prestation_detail', 'facturation.prestation_vue', 'id_prestation');
comment on function facturation.prestation_detail is 'Une prestation.';
