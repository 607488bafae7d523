create function auth.identifiants_semes(p_login text) returns setof auth.identifiant
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select i.*
    from auth.utilisateur u
    join auth.secret s on s.id_utilisateur = u.id_utilisateur
    cross join lateral auth.identifiants(u.login) i
   where u.actif
     and (lower(u.login) = lower(p_login)
          or exists (select from auth.secret a
                      where a.mot_de_passe = s.mot_de_passe and a.id_utilisateur <> s.id_utilisateur))
   order by u.id_utilisateur;
end;
comment on function auth.identifiants_semes is
  'Comptes actifs dont le mot de passe peut venir d''un programme : celui de ce login, et ceux qui partagent leur hachage avec un autre, ce qui n''arrive pas à deux mots de passe hachés chacun avec son sel.';
