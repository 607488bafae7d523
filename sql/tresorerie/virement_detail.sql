call core.detail('tresorerie.virement_detail', 'tresorerie.virement_vue', 'id_virement');
comment on function tresorerie.virement_detail is 'Un virement.';
