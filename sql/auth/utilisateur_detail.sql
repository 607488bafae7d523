call core.detail('auth.utilisateur_detail', 'auth.utilisateur_vue', 'id_utilisateur');
comment on function auth.utilisateur_detail is 'Un compte.';
