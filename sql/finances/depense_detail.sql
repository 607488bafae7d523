call core.detail('finances.depense_detail', 'finances.depense_vue', 'id_depense');
comment on function finances.depense_detail is 'Une dépense.';
