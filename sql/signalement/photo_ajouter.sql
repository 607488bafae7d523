create function signalement.photo_ajouter(p_id_signalement bigint, p_cle_objet core.cle_objet)
returns signalement.photo_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_photo bigint;
begin
  perform signalement._signalement(p_id_signalement);
  insert into signalement.photo (id_signalement, cle_objet) values (p_id_signalement, p_cle_objet)
  returning id_photo into v_id_photo;
  return signalement._photo(v_id_photo);
end $$;
comment on function signalement.photo_ajouter(bigint, core.cle_objet) is
  'Joint à un signalement la photo d''un fichier déposé.';
call core.peut_refuser('signalement.photo_ajouter', 'NOT_FOUND', 'PHOTO_DEJA_AJOUTEE');
