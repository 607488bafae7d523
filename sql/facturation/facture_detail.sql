call core.detail('facturation.facture_detail', 'facturation.facture_detail_vue', 'id_facture');
comment on function facturation.facture_detail is 'Une facture et ses lignes.';
