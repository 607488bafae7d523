-- Backups: those made, those put back, and the schedule. The list is a log of what lies outside the database, so a
-- restore carries it over into the restored one; hence no key into tables whose rows it may not find there.
-- depends: 0008.jobs-file 0019.rapports-schema

create type jobs.type_sauvegarde as enum ('AUTOMATIQUE', 'MANUELLE');
comment on type jobs.type_sauvegarde is 'Ce qui a voulu une sauvegarde : la planification, ou quelqu''un.';
create type jobs.statut_sauvegarde as enum ('EN_COURS', 'SUCCES', 'ERREUR');
comment on type jobs.statut_sauvegarde is 'Issue d''une sauvegarde ou d''une restauration.';
create type jobs.frequence_sauvegarde as enum ('QUOTIDIENNE', 'HEBDOMADAIRE');
comment on type jobs.frequence_sauvegarde is 'Rythme des sauvegardes ; HEBDOMADAIRE : le dimanche.';

create table jobs.sauvegarde (
  id_sauvegarde bigint generated always as identity constraint sauvegarde_pkey primary key,
  type jobs.type_sauvegarde not null,
  statut jobs.statut_sauvegarde not null default 'EN_COURS',
  chemin text not null constraint sauvegarde_chemin_existant unique,
  echeance timestamptz,
  auteur text,
  id_tache bigint,
  date_creation timestamptz not null default now(),
  date_debut timestamptz,
  date_fin timestamptz,
  taille_octets bigint,
  sha256 text,
  lignes jsonb,
  message_erreur text,
  date_retrait timestamptz,
  constraint sauvegarde_echeance_automatique check ((type = 'AUTOMATIQUE') = (echeance is not null)),
  constraint sauvegarde_reussie_entiere check (
    statut <> 'SUCCES' or num_nulls(date_debut, date_fin, taille_octets, sha256, lignes) = 0),
  constraint sauvegarde_erreur_dite check ((statut = 'ERREUR') = (message_erreur is not null))
);
create unique index sauvegarde_une_en_cours on jobs.sauvegarde (statut) where statut = 'EN_COURS';
create unique index sauvegarde_une_par_echeance on jobs.sauvegarde (echeance) where statut <> 'ERREUR';
comment on table jobs.sauvegarde is 'Sauvegarde de toute la base dans le stockage ; la ligne reste quand son fichier est retiré.';
comment on column jobs.sauvegarde.chemin is 'Clé du fichier dans le seau des sauvegardes ; sa somme est à côté, suffixe .sha256.';
comment on column jobs.sauvegarde.echeance is 'Instant de la planification auquel répond une sauvegarde AUTOMATIQUE.';
comment on column jobs.sauvegarde.auteur is 'Login de qui l''a demandée, null pour la planification et la ligne de commande.';
comment on column jobs.sauvegarde.id_tache is 'Tâche de la file qui la fera, null sans file.';
comment on column jobs.sauvegarde.date_debut is 'Null tant que personne ne l''a prise en main.';
comment on column jobs.sauvegarde.lignes is 'Nombre de lignes de chaque table dans l''instantané sauvegardé ; une restauration les compare.';
comment on column jobs.sauvegarde.date_retrait is 'Quand SAUVEGARDE_RETENTION a fait retirer son fichier.';
comment on constraint sauvegarde_chemin_existant on jobs.sauvegarde is 'Une sauvegarde porte déjà ce chemin.';
comment on constraint sauvegarde_echeance_automatique on jobs.sauvegarde is 'Seule une sauvegarde automatique a une échéance.';
comment on constraint sauvegarde_reussie_entiere on jobs.sauvegarde is 'Une sauvegarde réussie a ses dates, sa taille, sa somme et ses comptes.';
comment on constraint sauvegarde_erreur_dite on jobs.sauvegarde is 'Une sauvegarde en erreur dit pourquoi, et elle seule.';
comment on index jobs.sauvegarde_une_en_cours is 'Une sauvegarde est déjà en cours.';
comment on index jobs.sauvegarde_une_par_echeance is 'Cette échéance a déjà sa sauvegarde.';

create table jobs.restauration (
  id_restauration bigint generated always as identity constraint restauration_pkey primary key,
  id_sauvegarde bigint not null constraint restauration_sauvegarde_inconnue references jobs.sauvegarde,
  statut jobs.statut_sauvegarde not null default 'EN_COURS',
  auteur text,
  date_creation timestamptz not null default now(),
  date_debut timestamptz,
  date_fin timestamptz,
  ancienne_base text,
  message_erreur text,
  constraint restauration_erreur_dite check ((statut = 'ERREUR') = (message_erreur is not null))
);
create unique index restauration_une_en_cours on jobs.restauration (statut) where statut = 'EN_COURS';
create index restauration_id_sauvegarde on jobs.restauration (id_sauvegarde, id_restauration);
comment on table jobs.restauration is 'Remise en place d''une sauvegarde, réussie ou non.';
comment on column jobs.restauration.ancienne_base is 'Nom sous lequel la base remplacée est gardée.';
comment on constraint restauration_sauvegarde_inconnue on jobs.restauration is 'Cette sauvegarde n''existe pas.';
comment on constraint restauration_erreur_dite on jobs.restauration is 'Une restauration en erreur dit pourquoi, et elle seule.';
comment on index jobs.restauration_une_en_cours is 'Une restauration est déjà en cours.';

create table jobs.planification (
  id_planification bigint not null default 1 constraint planification_pkey primary key
    constraint planification_unique check (id_planification = 1),
  frequence jobs.frequence_sauvegarde not null,
  heure time(0) not null constraint planification_heure check (heure < '24:00' and extract(second from heure) = 0),
  active boolean not null,
  date_maj timestamptz not null default now()
);
comment on table jobs.planification is 'Quand sauvegarder ; une seule ligne.';
comment on column jobs.planification.heure is 'Heure, au fuseau de l''organisation.';
comment on column jobs.planification.date_maj is 'Dernier changement ; seules les échéances d''après comptent.';
comment on constraint planification_unique on jobs.planification is 'Il n''y a qu''une planification.';
comment on constraint planification_heure on jobs.planification is 'L''heure s''écrit HH:MM, de 00:00 à 23:59.';

insert into jobs.planification (frequence, heure, active) values ('QUOTIDIENNE', '02:00', false);

insert into core.parametre (cle, valeur, description) values
  ('SAUVEGARDE_RETENTION', '14', 'Nombre de sauvegardes réussies dont le fichier est gardé, de 1 à 1000.');
