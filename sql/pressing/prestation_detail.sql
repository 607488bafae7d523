call core.detail('pressing.prestation_detail', 'pressing.prestation_pressing_vue', 'id_prestation');
comment on function pressing.prestation_detail is 'Une prestation du catalogue.';
