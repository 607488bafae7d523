call core.detail('tresorerie.releve_detail', 'tresorerie.releve_vue', 'id_releve');
comment on function tresorerie.releve_detail is 'Un relevé.';
