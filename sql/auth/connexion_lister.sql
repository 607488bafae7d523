create function auth.connexion_lister(
  p_id_utilisateur bigint, p_limit core.limite default 1000, p_offset core.decalage default 0)
returns setof auth.connexion_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth.utilisateur_detail(p_id_utilisateur);
  return query execute core._liste('auth.connexion_vue', 'v.id_utilisateur = $1',
                                   'v.date desc, v.id_connexion desc', null, null, p_limit, p_offset)
  using p_id_utilisateur;
end $$;
comment on function auth.connexion_lister is 'Connexions d''un compte, réussies ou non, les dernières d''abord.';
