call core.liste_entiere('auth.role_lister', 'auth.role_vue', 'v.id_role');
comment on function auth.role_lister is 'Liste les rôles.';
