call core.detail('tresorerie.demande_detail', 'tresorerie.demande_vue', 'id_demande');
comment on function tresorerie.demande_detail is 'Une demande d''argent.';
