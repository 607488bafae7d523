-- What is known of entries of the journal that were written out of order, or after a change without an entry.
-- depends: 0070.facturation-jour

create table audit.rectification (
  id_rectification bigint generated always as identity constraint rectification_pkey primary key,
  date timestamptz not null default clock_timestamp(),
  compte text not null default session_user,
  motif core.libelle not null,
  module text not null,
  entite text not null,
  entite_id text not null,
  ids bigint[] not null constraint rectification_ids check (cardinality(ids) > 0)
);
comment on table audit.rectification is 'Ce que les entrées du journal disent d''une ligne, rectifié sans les réécrire (audit._journal_rectifier).';
comment on column audit.rectification.date is 'Instant de la rectification.';
comment on column audit.rectification.compte is 'Compte PostgreSQL qui a rectifié.';
comment on column audit.rectification.motif is 'Pourquoi.';
comment on column audit.rectification.module is 'Schéma de la table.';
comment on column audit.rectification.entite is 'Table.';
comment on column audit.rectification.entite_id is 'Clé de la ligne.';
comment on column audit.rectification.ids is 'Entrées de cette ligne, dans l''ordre de ses versions. Une seule : entre celle d''avant et elle, la ligne a changé sans entrée.';
comment on constraint rectification_ids on audit.rectification is 'Une rectification nomme au moins une entrée.';
