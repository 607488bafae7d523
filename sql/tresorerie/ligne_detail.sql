call core.detail('tresorerie.ligne_detail', 'tresorerie.ligne_vue', 'id_ligne');
comment on function tresorerie.ligne_detail is 'Une ligne de relevé, et ce qu''elle est ici.';
