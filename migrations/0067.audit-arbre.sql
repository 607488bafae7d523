-- The tree of all sealed entries, the keys that sign its roots, and the roots that left the database.
-- depends: 0066.compta-ecritures
--
-- The tree is that of RFC 6962. Its leaves are the entries of the seals, in the order of the seals. The first sealing after
-- this migration also takes the entries of the seals made before, which have no root of their own.

alter table audit.sceau
  add column taille bigint,
  add column racine bytea;
-- squawk-ignore constraint-missing-not-valid
alter table audit.sceau add constraint sceau_arbre check ((taille is null) = (racine is null));
comment on column audit.sceau.taille is 'Feuilles de l''arbre, celles de ce sceau comprises. Null d''un sceau d''avant l''arbre.';
comment on column audit.sceau.racine is 'Racine de l''arbre à cette taille (RFC 6962).';
comment on constraint sceau_arbre on audit.sceau is 'Une taille a sa racine.';
comment on column audit.sceau.empreintes is 'Empreinte de chaque entrée, dans le même ordre : le SHA-256 de son contenu et de son sel, ou du contenu seul d''un sceau d''avant l''arbre.';

create table audit.feuillage (
  rang bigint constraint feuillage_pkey primary key constraint feuillage_rang_fkey references audit.sceau,
  premiere bigint not null constraint feuillage_unique unique,
  feuilles bytea[],
  sels bytea[] not null
);
comment on table audit.feuillage is 'Place de chaque sceau dans l''arbre, et le sel de ses entrées.';
comment on column audit.feuillage.premiere is 'Place de sa première feuille, à partir de 0.';
comment on column audit.feuillage.feuilles is 'Feuilles d''un sceau d''avant l''arbre ; null quand ce sont ses empreintes.';
comment on column audit.feuillage.sels is 'Sel de chaque entrée, 16 octets au hasard ; null d''une entrée effacée, que rien ne relie plus à son empreinte.';
comment on constraint feuillage_rang_fkey on audit.feuillage is 'Ce sceau n''existe pas.';
comment on constraint feuillage_unique on audit.feuillage is 'Un autre sceau commence à cette feuille.';

create table audit.noeud (
  niveau bigint not null,
  place bigint not null,
  empreinte bytea not null,
  constraint noeud_pkey primary key (niveau, place)
);
comment on table audit.noeud is 'Nœuds complets de l''arbre, à partir de ceux de 256 feuilles ; les autres se calculent.';
comment on column audit.noeud.niveau is 'Hauteur : le nœud couvre 2^niveau feuilles.';
comment on column audit.noeud.empreinte is 'SHA-256 des deux nœuds d''en dessous (RFC 6962).';
comment on column audit.noeud.place is 'Place parmi les nœuds de ce niveau, à partir de 0.';

create table audit.arbre (
  seul boolean not null default true constraint arbre_pkey primary key,
  origine uuid not null,
  constraint arbre_seul check (seul)
);
comment on table audit.arbre is 'Ce qui distingue l''arbre de cette base de tout autre.';
comment on column audit.arbre.seul is 'Toujours vrai : une seule ligne.';
comment on column audit.arbre.origine is 'Tirée au hasard au premier scellement ; chaque racine signée la porte.';
comment on constraint arbre_seul on audit.arbre is 'Il n''y a qu''un arbre.';

create table audit.cle_sceau (
  id_cle bigint generated always as identity constraint cle_sceau_pkey primary key,
  publique bytea not null constraint cle_sceau_existante unique,
  graine bytea,
  du timestamptz not null,
  au timestamptz,
  signature bytea,
  constraint cle_sceau_tailles check (
    octet_length(publique) = 32 and octet_length(graine) = 32 and octet_length(signature) = 64),
  constraint cle_sceau_retiree check ((au is null) = (graine is not null)),
  constraint cle_sceau_duree check (au >= du)
);
create unique index cle_sceau_en_service on audit.cle_sceau ((true)) where au is null;
comment on table audit.cle_sceau is 'Clés Ed25519 qui signent les racines ; une seule est en service.';
comment on column audit.cle_sceau.publique is 'Clé publique, 32 octets.';
comment on column audit.cle_sceau.graine is 'Clé privée, 32 octets ; effacée quand la clé est remplacée. Seul le compte propriétaire la lit.';
comment on column audit.cle_sceau.du is 'Instant de sa mise en service.';
comment on column audit.cle_sceau.au is 'Instant de son remplacement, null de celle qui signe.';
comment on column audit.cle_sceau.signature is 'Signature de cette clé par celle d''avant, null de la première.';
comment on constraint cle_sceau_existante on audit.cle_sceau is 'Cette clé a déjà servi.';
comment on constraint cle_sceau_tailles on audit.cle_sceau is 'Une clé a 32 octets, une signature 64.';
comment on constraint cle_sceau_retiree on audit.cle_sceau is 'Une clé remplacée n''a plus sa partie privée.';
comment on constraint cle_sceau_duree on audit.cle_sceau is 'Une clé est remplacée après sa mise en service.';
comment on index audit.cle_sceau_en_service is 'Une autre clé est en service.';

create table audit.tete (
  taille bigint constraint tete_pkey primary key,
  rang bigint not null constraint tete_rang_fkey references audit.sceau,
  racine bytea not null,
  date timestamptz not null,
  id_cle bigint not null constraint tete_id_cle_fkey references audit.cle_sceau,
  signature bytea not null,
  constraint tete_signature check (octet_length(signature) = 64)
);
create index tete_rang on audit.tete (rang);
create index tete_id_cle on audit.tete (id_cle);
comment on table audit.tete is 'Racines signées de l''arbre, une à chaque scellement qui l''a fait grandir.';
comment on column audit.tete.racine is 'Racine de l''arbre à cette taille, celle du sceau.';
comment on column audit.tete.signature is 'Signature Ed25519 du texte de la racine (audit._racine_texte), 64 octets.';
comment on column audit.tete.taille is 'Feuilles de l''arbre.';
comment on column audit.tete.rang is 'Dernier sceau que la racine couvre.';
comment on column audit.tete.date is 'Instant de la signature, à la seconde.';
comment on constraint tete_rang_fkey on audit.tete is 'Ce sceau n''existe pas.';
comment on constraint tete_id_cle_fkey on audit.tete is 'Cette clé n''existe pas.';
comment on constraint tete_signature on audit.tete is 'Une signature a 64 octets.';

create table audit.publication (
  jour date constraint publication_pkey primary key,
  taille bigint not null constraint publication_taille_fkey references audit.tete,
  date timestamptz not null default clock_timestamp()
);
create index publication_taille on audit.publication (taille);
comment on table audit.publication is 'La racine publiée de chaque jour : écrite au stockage, envoyée aux abonnés.';
comment on column audit.publication.jour is 'Jour de la publication, à l''heure de l''organisation.';
comment on column audit.publication.date is 'Instant de la publication.';
comment on constraint publication_taille_fkey on audit.publication is 'Cette racine n''est pas signée.';

-- Only functions have this type, and they are dropped and loaded again.
-- squawk-ignore ban-drop-type
drop type audit.nature_constat;
create type audit.nature_constat as enum
  ('CHANGEE', 'MANQUANTE', 'AJOUTEE', 'SCEAU_ROMPU', 'SCEAU_MANQUANT', 'SCEAU_ATTENDU_ABSENT', 'ARBRE_ROMPU');
comment on type audit.nature_constat is 'Ce qu''une vérification trouve.';

create table audit.publication_envoi (
  jour date not null constraint publication_envoi_jour_fkey references audit.publication,
  adresse text not null,
  date timestamptz not null default clock_timestamp(),
  constraint publication_envoi_pkey primary key (jour, adresse)
);
comment on table audit.publication_envoi is 'Abonnés auxquels la racine d''un jour a été envoyée.';
comment on column audit.publication_envoi.adresse is 'Adresse électronique.';
comment on column audit.publication_envoi.date is 'Instant de l''envoi.';
comment on constraint publication_envoi_jour_fkey on audit.publication_envoi is 'Aucune racine n''est publiée ce jour-là.';

insert into core.parametre (cle, valeur, description) values
  ('SCEAU_ABONNES', '', 'Adresses électroniques, séparées par des virgules, qui reçoivent chaque jour la racine signée des sceaux : le comptable, le propriétaire.')
on conflict on constraint parametre_existant do nothing;
