create function auth.utilisateur_cle_lister(p_id_utilisateur bigint) returns setof auth.cle_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth.utilisateur_detail(p_id_utilisateur);
  return query select * from auth.cle_vue c where c.id_utilisateur = p_id_utilisateur order by c.id_cle;
end $$;
comment on function auth.utilisateur_cle_lister is 'Clés d''API d''un compte, sans les clés elles-mêmes.';

create function auth.utilisateur_cle_supprimer(p_id_utilisateur bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth._pouvoir_exiger(p_id_utilisateur);
  delete from auth.cle c where c.id_utilisateur = p_id_utilisateur;
end $$;
comment on function auth.utilisateur_cle_supprimer is
  'Supprime toutes les clés d''API d''un compte : elles ne valent plus, dès la validation et partout.';
