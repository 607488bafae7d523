-- The only function that answers the password hash of an account, for the login.

create type auth.identifiant as (
  id_utilisateur bigint, login text, role text, actif boolean, mot_de_passe text, adresse_connue boolean);
comment on type auth.identifiant is 'Compte et mot de passe haché, pour la seule vérification à la connexion.';
comment on column auth.identifiant.adresse_connue is 'Vrai si ce compte s''est connecté depuis cette adresse dans les 90 derniers jours.';

create function auth.identifiants(p_login text, p_adresse_ip text default null) returns setof auth.identifiant
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select u.id_utilisateur, u.login, r.code, u.actif, s.mot_de_passe,
         auth._adresse_connue(u.id_utilisateur, p_adresse_ip)
    from auth.utilisateur u
    join auth.role r on r.id_role = u.id_role
    join auth.secret s on s.id_utilisateur = u.id_utilisateur
   where lower(u.login) = lower(p_login);
end;
comment on function auth.identifiants(text, text) is
  'Ce qu''il faut pour vérifier un mot de passe : le compte de ce login et son hachage ; aucune ligne si le login est inconnu.';
