call core.creation('auth.role_creer', 'auth.role', 'auth.role_detail', null, 'code', 'libelle', 'description');
comment on function auth.role_creer is 'Crée un rôle, sans permission.';
