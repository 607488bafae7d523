call core.detail('auth.role_detail', 'auth.role_vue', 'id_role');
comment on function auth.role_detail is 'Un rôle.';
