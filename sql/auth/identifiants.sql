-- The only function that answers the password hash of an account, for the login.

create type auth.identifiant as (
  id_utilisateur bigint, login text, role text, actif boolean, mot_de_passe text, adresse_connue boolean,
  second_facteur text);
comment on type auth.identifiant is 'Compte et mot de passe haché, pour la seule vérification à la connexion.';
comment on column auth.identifiant.adresse_connue is 'Vrai si ce compte s''est connecté depuis cette adresse dans les 90 derniers jours.';
comment on column auth.identifiant.second_facteur is 'Secret chiffré du second facteur, null si le compte n''en a pas.';
call core.peut_etre_null('auth.identifiant', 'second_facteur');

create function auth.identifiants(p_login text, p_adresse_ip text default null) returns setof auth.identifiant
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select u.id_utilisateur, u.login, r.code, u.actif, s.mot_de_passe,
         auth._adresse_connue(u.id_utilisateur, p_adresse_ip),
         (select f.secret from auth.second_facteur f
           where f.id_utilisateur = u.id_utilisateur and f.date_confirmation is not null)
    from auth.utilisateur u
    join auth.role r on r.id_role = u.id_role
    join auth.secret s on s.id_utilisateur = u.id_utilisateur
   where lower(u.login) = lower(p_login);
end;
comment on function auth.identifiants is
  'Ce qu''il faut pour vérifier un mot de passe : le compte de ce login et son hachage ; aucune ligne si le login est inconnu.';
