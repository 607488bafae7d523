-- The journal: who did what, when, from where; what it was before and after. Written by one trigger, never changed.
-- depends: 0006.notification-messages

create schema audit;
comment on schema audit is 'Journal des écritures.';

create type audit.operation as enum ('INSERT', 'UPDATE', 'DELETE');
comment on type audit.operation is 'Nature d''une écriture.';

create table audit.journal (
  id_trace bigint generated always as identity constraint journal_pkey primary key,
  date_heure timestamptz not null default clock_timestamp(),
  id_utilisateur bigint,
  module text not null,
  operation audit.operation not null,
  entite text not null,
  entite_id text,
  montant numeric(14,2),
  avant jsonb,
  apres jsonb,
  adresse_ip inet,
  requete text
);
create index journal_date_heure on audit.journal (date_heure desc, id_trace desc);
create index journal_entite on audit.journal (entite, entite_id, id_trace desc);
create index journal_id_utilisateur on audit.journal (id_utilisateur, id_trace desc);
comment on table audit.journal is 'Une ligne par ligne écrite : qui, quand, d''où, avant et après. Les secrets y sont masqués à l''écriture.';
comment on column audit.journal.id_utilisateur is 'Auteur, null pour le système. Sans clé étrangère : une trace survit à tout.';
comment on column audit.journal.module is 'Schéma de la table écrite.';
comment on column audit.journal.requete is 'Identifiant de la requête (X-Request-Id).';
