call core.liste_entiere('auth.permission_lister', 'auth.permission_vue', 'v.id_permission');
comment on function auth.permission_lister is 'Catalogue des permissions.';
