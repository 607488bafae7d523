-- API keys: a user narrowed, for programs. The journal says which key wrote.
-- depends: 0059.evenement-webhooks

create table auth.cle (
  id_cle bigint generated always as identity constraint cle_pkey primary key,
  id_utilisateur bigint not null constraint cle_utilisateur_inconnu references auth.utilisateur on delete cascade,
  libelle core.libelle not null,
  prefixe text not null,
  hash text not null constraint cle_existante unique,
  permissions text[] not null constraint cle_sans_permission check (cardinality(permissions) > 0),
  id_activite bigint constraint cle_activite_inconnue references core.activite,
  id_caisse bigint constraint cle_caisse_inconnue references finances.caisse,
  date_creation timestamptz not null default now(),
  expire_le timestamptz,
  reseaux cidr[]
);
create index cle_id_utilisateur on auth.cle (id_utilisateur);
create index cle_id_activite on auth.cle (id_activite);
create index cle_id_caisse on auth.cle (id_caisse);
comment on table auth.cle is 'Clés d''API : un programme agit avec moins de droits que le compte auquel la clé appartient.';
comment on column auth.cle.id_utilisateur is 'Compte auquel elle appartient.';
comment on column auth.cle.date_creation is 'Moment où elle a été faite.';
comment on column auth.cle.id_caisse is 'Caisse à laquelle la clé est limitée, null sans limite de plus.';
comment on column auth.cle.prefixe is 'Début de la clé, qui la fait reconnaître sans la donner.';
comment on column auth.cle.hash is 'SHA-256 de la clé.';
comment on column auth.cle.permissions is 'Permissions de la clé ; celles que le compte n''a plus ne valent pas.';
comment on column auth.cle.id_activite is 'Activité à laquelle la clé est limitée, null sans limite de plus.';
comment on column auth.cle.expire_le is 'Instant où elle cesse de valoir, null jamais.';
comment on column auth.cle.reseaux is 'Adresses d''où elle vaut, null partout.';
comment on constraint cle_existante on auth.cle is 'Cette clé existe déjà.';
comment on constraint cle_sans_permission on auth.cle is 'Une clé a au moins une permission.';
comment on constraint cle_utilisateur_inconnu on auth.cle is 'Ce compte n''existe pas.';
comment on constraint cle_caisse_inconnue on auth.cle is 'Cette caisse n''existe pas.';
comment on constraint cle_activite_inconnue on auth.cle is 'Cette activité n''existe pas.';

-- Written at most once a minute, so the journal leaves it out.
create table auth.cle_usage (
  id_cle bigint constraint cle_usage_pkey primary key constraint usage_cle_inconnue references auth.cle on delete cascade,
  date timestamptz not null,
  adresse_ip inet
);
comment on table auth.cle_usage is 'Dernière utilisation de chaque clé, à une minute près.';
comment on column auth.cle_usage.date is 'Moment de la dernière utilisation.';
comment on column auth.cle_usage.adresse_ip is 'Adresse de cette utilisation.';
comment on constraint usage_cle_inconnue on auth.cle_usage is 'Cette clé n''existe pas.';

alter table audit.journal add column cle text;
do $$
declare
  v_partie regclass;
begin
  for v_partie in select i.inhrelid from pg_inherits i where i.inhparent = 'audit.journal'::regclass loop
    execute format('comment on column %s.cle is ''Clé d''''API qui a écrit.''', v_partie);
  end loop;
end $$;
comment on column audit.journal.cle is 'Clé d''API qui a écrit, « libellé (préfixe) » ; null d''une personne ou du système.';
