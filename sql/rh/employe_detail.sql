call core.detail('rh.employe_detail', 'rh.employe_vue', 'id_employe');
comment on function rh.employe_detail is 'Un employé.';
