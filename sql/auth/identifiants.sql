-- The only way out for a password hash.

create type auth.identifiant as (id_utilisateur bigint, login text, role text, actif boolean, mot_de_passe text);
comment on type auth.identifiant is 'Compte et mot de passe haché, pour la seule vérification à la connexion.';

create function auth.identifiants(p_login text) returns setof auth.identifiant
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select u.id_utilisateur, u.login, r.code, u.actif, s.mot_de_passe
    from auth.utilisateur u
    join auth.role r on r.id_role = u.id_role
    join auth.secret s on s.id_utilisateur = u.id_utilisateur
   where lower(u.login) = lower(p_login);
end;
comment on function auth.identifiants(text) is
  'Ce qu''il faut pour vérifier un mot de passe : le compte de ce login et son hachage ; aucune ligne si le login est inconnu.';
