-- The events that other systems follow: one row for each thing that happened.
-- depends: 0048.audit-archives 0057.pressing-demandes

create schema evenement;
comment on schema evenement is 'Ce qui s''est passé, pour les autres systèmes.';

-- The table has few indexes and no foreign keys, because every settlement writes to it. Nothing that an event names is
-- ever deleted, except an account, whose number stays here as it does in the journal.
create domain evenement.corps as json;
comment on domain evenement.corps is 'Ligne d''une vue ; le type de l''événement dit laquelle.';

create table evenement.evenement (
  id_evenement bigint generated always as identity constraint evenement_pkey primary key,
  date timestamptz not null default clock_timestamp(),
  type text not null,
  -- squawk-ignore prefer-bigint-over-smallint -- a number of JSON, and never large
  version smallint not null default 1,
  id_entite bigint not null,
  id_activite bigint,
  id_caisse bigint,
  donnees evenement.corps not null,
  id_utilisateur bigint,
  requete text
);
create index evenement_type on evenement.evenement (type, id_evenement);
create unique index echeance_deja_en_retard on evenement.evenement (id_entite) where type = 'echeance.en_retard';
comment on index evenement.echeance_deja_en_retard is 'Le retard d''une échéance est déjà signalé.';
comment on table evenement.evenement is 'Événements, écrits par les déclencheurs dans la transaction de leur effet : un événement existe si et seulement si son effet existe.';
comment on column evenement.evenement.id_evenement is 'Croît dans l''ordre des validations ; une transaction annulée laisse un trou.';
comment on column evenement.evenement.date is 'Moment de l''écriture, juste avant la validation.';
comment on column evenement.evenement.type is 'Entité et fait, par exemple facture.emise ; evenement.type_evenement les décrit.';
comment on column evenement.evenement.version is 'Forme de donnees.';
comment on column evenement.evenement.id_entite is 'Clé de l''entité, le premier mot du type.';
comment on column evenement.evenement.id_activite is 'Activité à laquelle l''événement appartient, null pour aucune.';
comment on column evenement.evenement.id_caisse is 'Caisse à laquelle l''événement appartient, null pour aucune.';
comment on column evenement.evenement.donnees is 'L''entité telle que la lisait une opération à la fin de la transaction : une ligne de la vue que nomme son type.';
comment on column evenement.evenement.id_utilisateur is 'Auteur, null hors de l''API.';
comment on column evenement.evenement.requete is 'Identifiant de la requête, null hors de l''API.';
