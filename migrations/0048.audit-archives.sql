-- The months of the journal that were moved to the store. The seals keep the fingerprint of each of their entries.
-- depends: 0043.audit-partitions

create table audit.archive (
  id_archive bigint generated always as identity constraint archive_pkey primary key,
  partie text not null,
  du timestamptz,
  au timestamptz not null,
  entrees bigint not null,
  ids int8multirange not null,
  du_rang bigint not null,
  au_rang bigint not null,
  chemin text not null constraint archive_chemin_existant unique,
  taille_octets bigint not null,
  sha256 text not null,
  date timestamptz not null default clock_timestamp(),
  compte text not null default session_user
);
create index archive_partie on audit.archive (partie, id_archive);
comment on table audit.archive is 'Mois du journal passés dans le stockage (comptoir archive). La dernière ligne d''une partie est celle qui compte. Un mois remis garde la sienne : il est dans la base tant que sa partie y est.';
comment on column audit.archive.partie is 'Nom de la partie du journal, dans le schéma audit.';
comment on column audit.archive.du is 'Premier instant du mois, en UTC, null pour la première partie.';
comment on column audit.archive.au is 'Instant où commence la partie suivante.';
comment on column audit.archive.entrees is 'Nombre d''entrées.';
comment on column audit.archive.ids is 'Identifiants des entrées (id_trace) : celles-ci, et aucune autre.';
comment on column audit.archive.du_rang is 'Premier sceau qui en couvre une.';
comment on column audit.archive.au_rang is 'Dernier sceau qui en couvre une.';
comment on column audit.archive.chemin is 'Clé du fichier dans le seau des sauvegardes ; sa somme est à côté, suffixe .sha256.';
comment on column audit.archive.taille_octets is 'Taille du fichier, chiffré.';
comment on column audit.archive.sha256 is 'Somme du fichier, chiffré.';
comment on column audit.archive.date is 'Instant de l''archivage.';
comment on column audit.archive.compte is 'Compte PostgreSQL qui a archivé.';
comment on constraint archive_chemin_existant on audit.archive is 'Une archive porte déjà ce chemin.';
