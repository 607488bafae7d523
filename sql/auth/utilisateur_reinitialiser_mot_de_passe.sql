create function auth.utilisateur_reinitialiser_mot_de_passe(
  p_id_utilisateur bigint, p_nouveau_mot_de_passe auth.mot_de_passe)
returns auth.utilisateur_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth._preuve_exiger();
  perform auth._pouvoir_exiger(p_id_utilisateur);
  perform auth._mot_de_passe_poser(p_id_utilisateur, p_nouveau_mot_de_passe);
  return auth.utilisateur_detail(p_id_utilisateur);
end $$;
comment on function auth.utilisateur_reinitialiser_mot_de_passe is
  'Donne un nouveau mot de passe à un compte et met fin à ses sessions et à ses clés d''API.';
