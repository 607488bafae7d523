call core.detail('compta.compte_detail', 'compta.compte_vue', 'cas');
comment on function compta.compte_detail is 'Un cas et son compte.';
