call core.detail('residence.batiment_detail', 'residence.batiment_vue', 'id_batiment');
comment on function residence.batiment_detail is 'Un bâtiment.';
