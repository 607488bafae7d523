create function signalement.photo_supprimer(p_id_photo bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform signalement._photo(p_id_photo);
  delete from signalement.photo p where p.id_photo = p_id_photo;
end $$;
comment on function signalement.photo_supprimer is 'Ôte une photo d''un signalement ; le fichier déposé reste.';
