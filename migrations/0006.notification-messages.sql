-- What the service tells its users.
-- depends: 0005.finances-caisses

create schema notification;
comment on schema notification is 'Notifications adressées aux utilisateurs.';

create type notification.priorite as enum ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL');
comment on type notification.priorite is 'Priorité d''une notification.';

create table notification.notification (
  id_notification bigint generated always as identity constraint notification_pkey primary key,
  evenement text not null constraint evenement_mal_forme check (evenement ~ '^[a-z_]+(\.[a-z_]+)+$'),
  priorite notification.priorite not null default 'MEDIUM',
  titre core.libelle not null,
  corps core.texte not null,
  donnees jsonb not null default '{}',
  permission auth.code_permission,
  id_caisse bigint constraint notification_caisse_inconnue references finances.caisse,
  id_activite bigint constraint notification_activite_inconnue references core.activite,
  id_utilisateur bigint constraint notification_utilisateur_inconnu references auth.utilisateur,
  date timestamptz not null default now()
);
create index notification_date on notification.notification (date desc, id_notification desc);
create index notification_id_caisse on notification.notification (id_caisse);
create index notification_id_activite on notification.notification (id_activite);
create index notification_id_utilisateur on notification.notification (id_utilisateur);
comment on table notification.notification is 'Notification ; ses colonnes permission, caisse, activité et utilisateur disent qui la reçoit.';
comment on column notification.notification.evenement is 'Nom de l''événement, par exemple finances.tirage.ecart.';
comment on column notification.notification.permission is 'Permission que le destinataire doit avoir, null pour tous.';
comment on column notification.notification.id_caisse is 'Réservée à cette caisse et aux utilisateurs sans caisse.';
comment on column notification.notification.id_activite is 'Réservée à cette activité et aux utilisateurs sans limite d''activité.';
comment on column notification.notification.id_utilisateur is 'Adressée à cet utilisateur seul.';
comment on constraint notification_caisse_inconnue on notification.notification is 'Cette caisse n''existe pas.';
comment on constraint notification_activite_inconnue on notification.notification is 'Cette activité n''existe pas.';
comment on constraint evenement_mal_forme on notification.notification is 'Un événement s''écrit domaine.sujet[.fait].';

create table notification.lecture (
  id_notification bigint not null constraint lecture_notification_inconnue references notification.notification on delete cascade,
  id_utilisateur bigint not null constraint lecture_utilisateur_inconnu references auth.utilisateur on delete cascade,
  date timestamptz not null default now(),
  constraint lecture_pkey primary key (id_utilisateur, id_notification)
);
create index lecture_id_notification on notification.lecture (id_notification);
comment on table notification.lecture is 'Qui a lu quelle notification.';
