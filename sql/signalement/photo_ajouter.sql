-- The user who declared an incident adds the pictures.
create function signalement.photo_permise(p_id_signalement bigint) returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v signalement.signalement_vue := signalement.signalement_detail(p_id_signalement);
begin
  if not auth._permise('SIGNALEMENT.MODIFIER') and v.id_utilisateur_declarant is distinct from core.utilisateur() then
    perform auth._interdire('SIGNALEMENT.MODIFIER');
  end if;
end $$;
comment on function signalement.photo_permise is
  'Vérifie, avant que le fichier soit gardé, que l''utilisateur peut joindre une photo à ce signalement.';

call core.creation('signalement.photo_ajouter', 'signalement.photo', 'signalement._photo',
  'signalement.photo_permise(p_id_signalement)', 'id_signalement', 'cle_objet');
comment on function signalement.photo_ajouter is
  'Joint une photo à un signalement que l''utilisateur traite, ou qu''il a déclaré.';
