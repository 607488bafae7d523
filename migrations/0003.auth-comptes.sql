-- Accounts, roles, permissions, and the tokens that prove a session. Only hashes of secrets are kept.
-- depends: 0002.client-referentiel

create schema auth;
comment on schema auth is 'Comptes, rôles, permissions et sessions.';

create domain auth.login as text
  constraint login_mal_forme check (value ~ '^[A-Za-z0-9][A-Za-z0-9._@+-]{2,99}$');
comment on domain auth.login is 'Identifiant de connexion : 3 à 100 lettres, chiffres, points, tirets, @ ; la casse ne compte pas.';
comment on constraint login_mal_forme on domain auth.login is 'Un login compte 3 à 100 lettres sans accent, chiffres, points ou tirets (exemple : prenom.nom).';

create domain auth.mot_de_passe as text
  constraint mot_de_passe_non_hache check (value ~ '^\$2[aby]\$10\$[./A-Za-z0-9]{53}$');
comment on domain auth.mot_de_passe is 'Mot de passe, 8 caractères au moins et 72 octets au plus, gardé haché par bcrypt au coût 10. L''API le hache avant l''appel.';
comment on constraint mot_de_passe_non_hache on domain auth.mot_de_passe is 'Le mot de passe doit être haché par bcrypt, coût 10.';

create domain auth.code_permission as text
  constraint permission_mal_formee check (value ~ '^[A-Z_]+\.(VOIR|CREER|MODIFIER|SUPPRIMER)$');
comment on domain auth.code_permission is 'Code <DOMAINE>.<ACTION>, action VOIR, CREER, MODIFIER ou SUPPRIMER.';
comment on constraint permission_mal_formee on domain auth.code_permission is 'Un code de permission s''écrit DOMAINE.ACTION.';

create table auth.permission (
  id_permission bigint generated always as identity constraint permission_pkey primary key,
  code auth.code_permission not null constraint permission_existante unique,
  libelle core.libelle not null
);
comment on table auth.permission is 'Catalogue des permissions.';
comment on constraint permission_existante on auth.permission is 'Cette permission existe déjà.';

create table auth.role (
  id_role bigint generated always as identity constraint role_pkey primary key,
  code core.code not null constraint role_existant unique,
  libelle core.libelle not null,
  description core.texte
);
comment on table auth.role is 'Rôle : un ensemble de permissions.';
comment on constraint role_existant on auth.role is 'Un rôle porte déjà ce code.';

create table auth.role_permission (
  id_role bigint not null constraint role_inconnu references auth.role,
  id_permission bigint not null constraint permission_inconnue references auth.permission,
  constraint permission_deja_accordee primary key (id_role, id_permission)
);
create index role_permission_id_permission on auth.role_permission (id_permission);
comment on table auth.role_permission is 'Permissions d''un rôle.';
comment on constraint permission_deja_accordee on auth.role_permission is 'Ce rôle a déjà cette permission.';
comment on constraint role_inconnu on auth.role_permission is 'Ce rôle n''existe pas.';
comment on constraint permission_inconnue on auth.role_permission is 'Cette permission n''existe pas.';

create table auth.utilisateur (
  id_utilisateur bigint generated always as identity constraint utilisateur_pkey primary key,
  login auth.login not null,
  nom core.libelle,
  prenom core.libelle,
  id_role bigint not null constraint utilisateur_role_inconnu references auth.role,
  id_activite_scope bigint constraint utilisateur_activite_inconnue references core.activite,
  id_client bigint constraint utilisateur_client_inconnu references client.client
                   constraint client_deja_lie unique,
  actif boolean not null default true,
  date_creation timestamptz not null default now(),
  dernier_connexion timestamptz
);
create unique index login_existant on auth.utilisateur (lower(login));
create index utilisateur_id_role on auth.utilisateur (id_role);
create index utilisateur_id_activite_scope on auth.utilisateur (id_activite_scope);
comment on table auth.utilisateur is 'Compte d''une personne ; son mot de passe est à part, dans auth.secret.';
comment on column auth.utilisateur.id_activite_scope is 'Activité à laquelle le compte est limité, null sans limite.';
comment on column auth.utilisateur.id_client is 'Client dont c''est l''espace, null pour le personnel.';
comment on index auth.login_existant is 'Ce login existe déjà.';
comment on constraint client_deja_lie on auth.utilisateur is 'Ce client a déjà un compte.';
comment on constraint utilisateur_role_inconnu on auth.utilisateur is 'Ce rôle n''existe pas ou a encore des utilisateurs.';
comment on constraint utilisateur_activite_inconnue on auth.utilisateur is 'Cette activité n''existe pas.';
comment on constraint utilisateur_client_inconnu on auth.utilisateur is 'Ce client n''existe pas.';

create table auth.secret (
  id_utilisateur bigint constraint secret_pkey primary key
    constraint secret_utilisateur_inconnu references auth.utilisateur on delete cascade,
  mot_de_passe auth.mot_de_passe not null,
  date_maj timestamptz not null default now()
);
comment on table auth.secret is 'Mot de passe haché de chaque compte ; lu par auth.identifiants seulement, jamais journalisé.';

create table auth.jeton_rafraichissement (
  hash text constraint jeton_rafraichissement_pkey primary key,
  id_utilisateur bigint not null
    constraint jeton_utilisateur_inconnu references auth.utilisateur on delete cascade,
  famille uuid not null,
  replaced_by_hash text,
  date_creation timestamptz not null default now(),
  date_expiration timestamptz not null,
  date_revocation timestamptz,
  adresse_ip inet,
  constraint jeton_successeur_inconnu foreign key (replaced_by_hash)
    references auth.jeton_rafraichissement (hash) on delete set null deferrable initially deferred
);
create index jeton_rafraichissement_famille on auth.jeton_rafraichissement (famille);
create index jeton_rafraichissement_id_utilisateur on auth.jeton_rafraichissement (id_utilisateur);
create index jeton_rafraichissement_date_expiration on auth.jeton_rafraichissement (date_expiration);
create index jeton_rafraichissement_replaced_by_hash on auth.jeton_rafraichissement (replaced_by_hash);
comment on table auth.jeton_rafraichissement is 'Jetons de rafraîchissement, par leur SHA-256 ; une famille naît d''une connexion.';
comment on column auth.jeton_rafraichissement.replaced_by_hash is 'Successeur dans la famille.';
comment on column auth.jeton_rafraichissement.date_revocation is 'Usage ou révocation ; un jeton présenté après elle révoque toute la famille.';

create table auth.jeton_reinitialisation (
  hash text constraint jeton_reinitialisation_pkey primary key,
  id_utilisateur bigint not null
    constraint reinitialisation_utilisateur_inconnu references auth.utilisateur on delete cascade,
  date_creation timestamptz not null default now(),
  date_expiration timestamptz not null,
  date_usage timestamptz
);
create index jeton_reinitialisation_id_utilisateur on auth.jeton_reinitialisation (id_utilisateur);
comment on table auth.jeton_reinitialisation is 'Jetons de réinitialisation du mot de passe, par leur SHA-256, à usage unique.';

create table auth.connexion (
  id_connexion bigint generated always as identity constraint connexion_pkey primary key,
  id_utilisateur bigint not null
    constraint connexion_utilisateur_inconnu references auth.utilisateur on delete cascade,
  date timestamptz not null default now(),
  succes boolean not null,
  adresse_ip inet,
  agent core.texte
);
create index connexion_id_utilisateur on auth.connexion (id_utilisateur, date desc);
comment on table auth.connexion is 'Connexions réussies et échouées d''un compte.';
comment on column auth.connexion.agent is 'Logiciel annoncé par l''appareil (User-Agent).';

insert into auth.permission (code, libelle)
select d.code || '.' || a.code, a.libelle || ' : ' || d.libelle
  from (values (1, 'ADMIN', 'administration'), (2, 'CORE', 'paramètres'), (3, 'CLIENT', 'clients'),
               (4, 'ABONNEMENT', 'abonnements'), (5, 'RESIDENCE', 'résidence'), (6, 'RESIDENT', 'espace résident'),
               (7, 'FINANCES', 'finances'), (8, 'FACTURATION', 'facturation'), (9, 'MARCHANDISE', 'boutique'),
               (10, 'PRESSING', 'pressing'), (11, 'RESTAURANT', 'restaurant'), (12, 'SALLE_FETE', 'salle de fête'),
               (13, 'RH', 'personnel'), (14, 'SIGNALEMENT', 'signalements'), (15, 'RAPPORTS', 'rapports'),
               (16, 'AUDIT', 'journal')) as d (rang, code, libelle),
       (values (1, 'VOIR', 'Voir'), (2, 'CREER', 'Créer'), (3, 'MODIFIER', 'Modifier'),
               (4, 'SUPPRIMER', 'Supprimer')) as a (rang, code, libelle)
 order by d.rang, a.rang;

insert into auth.role (code, libelle, description) values
  ('ADMINISTRATEUR', 'Administrateur', 'Toutes les permissions.'),
  ('DIRIGEANT', 'Dirigeant', 'Voit tout, conduit les finances.'),
  ('CAISSIER', 'Caissier', 'Tient une caisse.'),
  ('RESPONSABLE_RESIDENCE', 'Responsable résidence', null),
  ('RESPONSABLE_PRESSING', 'Responsable pressing', null),
  ('RESPONSABLE_RESTAURANT', 'Responsable restaurant', null),
  ('RESPONSABLE_MAGASIN', 'Responsable magasin', null),
  ('RESPONSABLE_SALLE', 'Responsable salle de fête', null),
  ('RH', 'Ressources humaines', null),
  ('RESIDENT', 'Résident', 'Espace du locataire.'),
  ('CLIENT', 'Client', 'Espace du client, sans permission de gestion.');

insert into auth.role_permission (id_role, id_permission)
select r.id_role, p.id_permission
  from auth.role r
  join (values
    ('ADMINISTRATEUR', '.*'),
    ('DIRIGEANT', '(.*\.VOIR|(FINANCES|FACTURATION|CLIENT|RAPPORTS)\..*)'),
    ('CAISSIER', '((FINANCES|FACTURATION|CLIENT)\.(VOIR|CREER)|(MARCHANDISE|PRESSING|RESTAURANT|SALLE_FETE|RESIDENCE)\.(VOIR|CREER|MODIFIER)|SIGNALEMENT\.(VOIR|CREER))'),
    ('RESPONSABLE_RESIDENCE', '((RESIDENCE|ABONNEMENT|CLIENT|SIGNALEMENT)\..*|FINANCES\.(VOIR|CREER)|FACTURATION\.(VOIR|CREER)|RAPPORTS\.VOIR)'),
    ('RESPONSABLE_PRESSING', '((PRESSING|CLIENT|SIGNALEMENT)\..*|FINANCES\.(VOIR|CREER)|FACTURATION\.(VOIR|CREER)|RAPPORTS\.VOIR)'),
    ('RESPONSABLE_RESTAURANT', '((RESTAURANT|CLIENT|SIGNALEMENT)\..*|FINANCES\.(VOIR|CREER)|FACTURATION\.(VOIR|CREER)|RAPPORTS\.VOIR)'),
    ('RESPONSABLE_MAGASIN', '((MARCHANDISE|CLIENT|SIGNALEMENT)\..*|FINANCES\.(VOIR|CREER)|FACTURATION\.(VOIR|CREER)|RAPPORTS\.VOIR)'),
    ('RESPONSABLE_SALLE', '((SALLE_FETE|CLIENT|SIGNALEMENT)\..*|FINANCES\.(VOIR|CREER)|FACTURATION\.(VOIR|CREER)|RAPPORTS\.VOIR)'),
    ('RH', '(RH\..*|SIGNALEMENT\.(VOIR|CREER))'),
    ('RESIDENT', 'RESIDENT\.VOIR')) as d (role, motif) on d.role = r.code
  join auth.permission p on p.code ~ ('^' || d.motif || '$');
