-- Webhooks: addresses to which the events are sent, and the log of the deliveries.
-- depends: 0058.evenement-fil
-- squawk-ignore-file prefer-bigint-over-int -- numbers of JSON, where bigint is a text; none grows

create domain evenement.adresse as text
  constraint adresse_webhook_mal_formee check (value ~ '^https?://[^/?#@\s]+([/?#]\S*)?$')
  constraint adresse_webhook_longue check (char_length(value) <= 2000);
comment on domain evenement.adresse is 'Adresse http(s) à laquelle des événements sont envoyés, 2000 caractères au plus.';
comment on constraint adresse_webhook_mal_formee on domain evenement.adresse is 'Une adresse s''écrit https://machine/chemin, sans nom d''utilisateur ni espace.';
comment on constraint adresse_webhook_longue on domain evenement.adresse is 'Cette adresse est trop longue.';

create type evenement.etat_webhook as enum ('ACTIF', 'SUSPENDU', 'EN_PANNE');
comment on type evenement.etat_webhook is
  'ACTIF : les événements partent. SUSPENDU : quelqu''un l''a arrêté. EN_PANNE : le destinataire a refusé ou n''a pas répondu pendant trois jours.';

create table evenement.webhook (
  id_webhook bigint generated always as identity constraint webhook_pkey primary key,
  url evenement.adresse not null,
  types text[] not null constraint webhook_sans_type check (cardinality(types) > 0),
  description core.texte,
  id_activite bigint constraint webhook_activite_inconnue references core.activite,
  etat evenement.etat_webhook not null default 'ACTIF',
  id_utilisateur bigint not null constraint webhook_utilisateur_inconnu references auth.utilisateur,
  date_creation timestamptz not null default now()
);
create index webhook_id_activite on evenement.webhook (id_activite);
create index webhook_id_utilisateur on evenement.webhook (id_utilisateur);
comment on table evenement.webhook is 'Adresse à laquelle des événements sont envoyés.';
comment on column evenement.webhook.url is 'Où les événements sont envoyés, par POST.';
comment on column evenement.webhook.description is 'À qui il sert.';
comment on column evenement.webhook.date_creation is 'Moment où il a été fait.';
comment on column evenement.webhook.types is 'Types d''événements envoyés.';
comment on column evenement.webhook.etat is 'ACTIF, SUSPENDU ou EN_PANNE.';
comment on column evenement.webhook.id_activite is 'Activité à laquelle il est limité, null sans limite.';
comment on column evenement.webhook.id_utilisateur is 'Compte dont les droits décident, à chaque envoi, des événements envoyés.';
comment on constraint webhook_sans_type on evenement.webhook is 'Un webhook nomme au moins un type d''événement.';
comment on constraint webhook_activite_inconnue on evenement.webhook is 'Cette activité n''existe pas.';
comment on constraint webhook_utilisateur_inconnu on evenement.webhook is 'Ce compte n''existe pas.';

create table evenement.webhook_secret (
  id_webhook bigint not null constraint secret_webhook_inconnu references evenement.webhook on delete cascade,
  secret text not null,
  date_creation timestamptz not null default clock_timestamp(),
  date_expiration timestamptz,
  constraint webhook_secret_pkey primary key (id_webhook, secret)
);
comment on table evenement.webhook_secret is 'Clés qui signent les envois : la présente, et la précédente pendant un jour.';
comment on column evenement.webhook_secret.secret is 'Clé whsec_…, montrée une fois ; en clair, puisqu''elle signe.';
comment on column evenement.webhook_secret.date_creation is 'Moment où elle a été donnée.';
comment on column evenement.webhook_secret.date_expiration is 'Quand elle cesse de signer, null pour la présente.';

-- Written at each delivery, so the journal leaves it out.
create table evenement.webhook_suite (
  id_webhook bigint constraint webhook_suite_pkey primary key
    constraint suite_webhook_inconnu references evenement.webhook on delete cascade,
  jusqu_a bigint not null,
  tentatives integer not null default 0,
  date_echec timestamptz,
  date_essai timestamptz
);
comment on table evenement.webhook_suite is 'Où en est l''envoi de chaque webhook.';
comment on column evenement.webhook_suite.jusqu_a is 'Dernier événement livré ou laissé de côté ; les suivants sont à envoyer.';
comment on column evenement.webhook_suite.tentatives is 'Essais manqués de l''événement suivant.';
comment on column evenement.webhook_suite.date_echec is 'Premier de ces essais.';
comment on column evenement.webhook_suite.date_essai is 'Rien ne part avant, null : tout de suite.';

create type evenement.statut_livraison as enum ('REUSSIE', 'EN_ATTENTE', 'ECHOUEE');
comment on type evenement.statut_livraison is 'EN_ATTENTE : un autre essai suivra. ECHOUEE : il n''y en aura plus de lui-même.';

-- No foreign key to the event: it would lock the row of the event at each delivery.
create table evenement.livraison (
  id_livraison bigint generated always as identity constraint livraison_pkey primary key,
  id_webhook bigint not null constraint livraison_webhook_inconnu references evenement.webhook on delete cascade,
  id_evenement bigint not null,
  issue evenement.statut_livraison not null,
  code integer,
  tentatives integer not null default 1,
  duree_ms integer not null,
  reponse text not null,
  date timestamptz not null default now(),
  constraint livraison_existante unique (id_webhook, id_evenement)
);
create index livraison_date on evenement.livraison (date);
comment on table evenement.livraison is 'Dernier envoi de chaque événement à chaque webhook, gardé trente jours.';
comment on column evenement.livraison.id_evenement is 'Événement envoyé.';
comment on column evenement.livraison.issue is 'REUSSIE, EN_ATTENTE ou ECHOUEE.';
comment on column evenement.livraison.code is 'Statut HTTP de la réponse, null sans réponse.';
comment on column evenement.livraison.tentatives is 'Essais, depuis le premier.';
comment on column evenement.livraison.duree_ms is 'Durée du dernier essai, en millisecondes.';
comment on column evenement.livraison.reponse is 'Début de la réponse, 500 octets au plus, ou ce qui a manqué.';
comment on column evenement.livraison.date is 'Moment du dernier essai.';
comment on constraint livraison_existante on evenement.livraison is 'Cet envoi est déjà noté.';
comment on constraint livraison_webhook_inconnu on evenement.livraison is 'Ce webhook n''existe pas.';
comment on constraint secret_webhook_inconnu on evenement.webhook_secret is 'Ce webhook n''existe pas.';
comment on constraint suite_webhook_inconnu on evenement.webhook_suite is 'Ce webhook n''existe pas.';
