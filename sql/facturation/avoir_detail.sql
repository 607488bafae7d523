call core.detail('facturation.avoir_detail', 'facturation.avoir_detail_vue', 'id_avoir');
comment on function facturation.avoir_detail is 'Un avoir et ses lignes.';
