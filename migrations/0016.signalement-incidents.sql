-- Incident reports and their photos.
-- depends: 0008.jobs-file

create schema signalement;
comment on schema signalement is 'Signalements d''incidents.';

create type signalement.statut_signalement as enum ('OUVERT', 'EN_COURS', 'RESOLU', 'REJETE');
comment on type signalement.statut_signalement is 'État d''un signalement.';

create domain signalement.recit as core.texte
  constraint recit_rempli check (value ~ '\S');
comment on domain signalement.recit is 'Texte libre qui dit quelque chose, 5 000 caractères au plus.';
comment on constraint recit_rempli on domain signalement.recit is 'Ce texte ne peut pas être vide.';

create table signalement.signalement (
  id_signalement bigint generated always as identity constraint signalement_pkey primary key,
  titre core.libelle not null,
  description signalement.recit not null,
  id_activite bigint constraint signalement_activite_inconnue references core.activite,
  type_signalement core.code,
  statut signalement.statut_signalement not null default 'OUVERT',
  id_utilisateur_declarant bigint constraint declarant_utilisateur_inconnu references auth.utilisateur,
  id_utilisateur_traitant bigint constraint traitant_utilisateur_inconnu references auth.utilisateur,
  note_resolution signalement.recit,
  date_signalement timestamptz not null default now(),
  date_resolution timestamptz,
  constraint signalement_clos_avec_note check (
    (statut in ('RESOLU', 'REJETE')) = (date_resolution is not null)
    and (statut in ('RESOLU', 'REJETE')) = (note_resolution is not null))
);
create index signalement_date on signalement.signalement (date_signalement desc, id_signalement desc);
create index signalement_statut on signalement.signalement (statut, date_signalement desc, id_signalement desc);
create index signalement_id_activite on signalement.signalement (id_activite, date_signalement desc, id_signalement desc);
create index signalement_id_utilisateur_declarant on signalement.signalement (id_utilisateur_declarant);
create index signalement_id_utilisateur_traitant on signalement.signalement (id_utilisateur_traitant);
comment on table signalement.signalement is 'Incident signalé par un utilisateur, jusqu''à sa résolution ou son rejet.';
comment on column signalement.signalement.id_activite is 'Activité concernée, null pour un signalement général.';
comment on column signalement.signalement.type_signalement is 'Domaine concerné, par exemple PRESSING ; déduit de l''activité.';
comment on column signalement.signalement.id_utilisateur_traitant is 'Qui l''a pris en charge, puis qui l''a clos.';
comment on constraint signalement_activite_inconnue on signalement.signalement is 'Cette activité n''existe pas.';
comment on constraint signalement_clos_avec_note on signalement.signalement is 'Un signalement clos, et lui seul, porte une note et une date de résolution.';

create table signalement.photo (
  id_photo bigint generated always as identity constraint photo_signalement_pkey primary key,
  id_signalement bigint not null constraint photo_signalement_inconnu references signalement.signalement,
  cle_objet core.cle_objet not null,
  id_utilisateur bigint constraint photo_utilisateur_inconnu references auth.utilisateur,
  date_ajout timestamptz not null default now(),
  constraint photo_deja_ajoutee unique (id_signalement, cle_objet)
);
create index photo_id_utilisateur on signalement.photo (id_utilisateur);
comment on table signalement.photo is 'Photo d''un signalement : la clé d''un fichier déposé.';
comment on constraint photo_signalement_inconnu on signalement.photo is 'Ce signalement n''existe pas.';
comment on constraint photo_deja_ajoutee on signalement.photo is 'Cette photo est déjà jointe à ce signalement.';
