create function auth.utilisateur_desactiver(p_id_utilisateur bigint) returns auth.utilisateur_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth._pouvoir_exiger(p_id_utilisateur);
  update auth.utilisateur u set actif = false where u.id_utilisateur = p_id_utilisateur and u.actif;
  return auth.utilisateur_detail(p_id_utilisateur);
end $$;
comment on function auth.utilisateur_desactiver is
  'Désactive un compte et met fin à ses sessions et à ses clés d''API.';
