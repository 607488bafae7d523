create function signalement.signalement_detail(p_id_signalement bigint) returns signalement.signalement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select s from signalement.signalement_vue s where s.id_signalement = p_id_signalement));
end $$;
comment on function signalement.signalement_detail is 'Un signalement.';
