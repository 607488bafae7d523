create type auth.compte as (
  id bigint,
  login text,
  role text,
  permissions text[],
  id_client bigint,
  id_caisse bigint,
  id_activite_scope bigint,
  nom text,
  prenom text,
  email text
);
comment on type auth.compte is 'Compte de l''utilisateur et ce qu''il permet.';
comment on column auth.compte.role is 'Code du rôle.';
comment on column auth.compte.permissions is 'Codes des permissions, triés.';
comment on column auth.compte.id_client is 'Client dont c''est l''espace, null pour le personnel.';
comment on column auth.compte.id_caisse is 'Caisse imposée, null s''il n''y en a pas.';
comment on column auth.compte.id_activite_scope is 'Activité à laquelle le compte est limité, null sans limite.';
comment on column auth.compte.email is 'Adresse où le service lui écrit, null s''il n''en connaît pas.';
call core.peut_etre_null('auth.compte', 'id_client', 'id_caisse', 'id_activite_scope', 'nom', 'prenom', 'email');

create function auth.moi() returns auth.compte
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((
  select row(u.id_utilisateur, u.login, u.role, auth._permissions(), u.id_client, u.id_caisse, u.id_activite_scope,
             u.nom, u.prenom, u.email)::auth.compte
    from auth.utilisateur_vue u where u.id_utilisateur = core.utilisateur()));
comment on function auth.moi is 'L''utilisateur connecté : son rôle, ses permissions et son périmètre.';
