-- The client shows every picture by this path, to the staff and to the portal.
create function signalement.photo_detail(p_id_photo bigint) returns signalement.portail_photo
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if core.client() is not null or not auth._permise('SIGNALEMENT.VOIR') then
    return signalement.portail_photo_detail(p_id_photo);
  end if;
  return (
    select row(p.id_photo, p.id_signalement, p.cle_objet, p.date_ajout, p.id_utilisateur)::signalement.portail_photo
      from signalement._photo(p_id_photo) p);
end $$;
comment on function signalement.photo_detail is
  'Une photo d''un signalement que l''utilisateur peut voir, ou d''un signalement du client connecté.';
