call core.modification('auth.role_modifier', 'auth.role', 'auth.role_detail', 'code', 'libelle', 'description');
comment on type auth.role_champs is 'Champs modifiables d''un rôle.';
comment on function auth.role_modifier is 'Modifie les champs donnés d''un rôle.';
