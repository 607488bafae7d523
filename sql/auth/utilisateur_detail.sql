create function auth.utilisateur_detail(p_id_utilisateur bigint) returns auth.utilisateur_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return auth._utilisateur(p_id_utilisateur);
comment on function auth.utilisateur_detail is 'Un compte.';
