create function signalement.photo_lister(p_id_signalement bigint) returns setof signalement.photo_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform signalement.signalement_detail(p_id_signalement);
  return query
  select p.* from signalement.photo_vue p where p.id_signalement = p_id_signalement order by p.id_photo;
end $$;
comment on function signalement.photo_lister is 'Photos d''un signalement, dans l''ordre où elles ont été jointes.';
