call core.detail('core.taxe_detail', 'core.taxe_vue', 'id_taxe');
comment on function core.taxe_detail is 'Un taux.';
