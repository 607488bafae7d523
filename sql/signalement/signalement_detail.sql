create function signalement.signalement_detail(p_id_signalement bigint) returns signalement.signalement_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return signalement._signalement(p_id_signalement);
comment on function signalement.signalement_detail is 'Un signalement.';
