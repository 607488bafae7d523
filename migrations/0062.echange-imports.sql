-- Imports of sheets: what was sent, the issue of each row, and how far a long import has come.
-- depends: 0061.auth-second-facteur
-- squawk-ignore-file prefer-bigint-over-int -- lines of one sheet, 100 000 at most
-- squawk-ignore-file require-concurrent-index-creation -- the indexes on other tables are short to build

create schema echange;
comment on schema echange is 'Imports de feuilles : ce qui a été envoyé, essayé, fait.';

create type echange.entite as enum (
  'clients', 'produits', 'stock', 'fournisseurs', 'batiments', 'logements', 'contrats', 'employes', 'plats',
  'prestations', 'factures');
comment on type echange.entite is 'Ce qu''une feuille importe.';

create type echange.etat_import as enum ('RECEPTION', 'EN_ESSAI', 'ESSAYE', 'EN_COURS', 'FAIT', 'ECHEC', 'ANNULE');
comment on type echange.etat_import is
  'RECEPTION : ses lignes arrivent. EN_ESSAI : elles sont essayées. ESSAYE : rien n''est fait, le rapport est prêt. EN_COURS : l''import se fait. FAIT. ECHEC : arrêté en chemin, il se reprend. ANNULE : défait, ou abandonné.';

create type echange.issue_ligne as enum ('A_ESSAYER', 'ACCEPTEE', 'DEJA', 'REFUSEE', 'FAITE', 'ANNULEE');
comment on type echange.issue_ligne is
  'ACCEPTEE : l''essai l''a faite puis défaite. DEJA : elle existe, rien n''est à faire. REFUSEE. FAITE. ANNULEE : faite, puis défaite.';

create table echange.import (
  id_import bigint generated always as identity constraint import_pkey primary key,
  entite echange.entite not null,
  fichier text not null constraint import_nom_de_fichier check (char_length(fichier) <= 200),
  empreinte text not null,
  entetes text[] not null,
  colonnes jsonb not null,
  etat echange.etat_import not null default 'RECEPTION',
  lignes integer not null default 0,
  acceptees integer not null default 0,
  refusees integer not null default 0,
  deja integer not null default 0,
  fait integer not null default 0,
  total integer not null default 0,
  tout boolean not null default false,
  message text,
  id_utilisateur bigint constraint import_utilisateur_inconnu references auth.utilisateur,
  id_activite bigint constraint import_activite_inconnue references core.activite,
  id_caisse bigint constraint import_caisse_inconnue references finances.caisse,
  cle text,
  permissions text,
  date_creation timestamptz not null default now(),
  date_fin timestamptz
);
create index import_id_utilisateur on echange.import (id_utilisateur, id_import desc);
create index import_id_activite on echange.import (id_activite);
create index import_id_caisse on echange.import (id_caisse);
create index import_empreinte on echange.import (empreinte);
comment on table echange.import is 'Feuille envoyée, son essai, et ce qui en est fait.';
comment on column echange.import.entite is 'Ce que ses lignes sont.';
comment on column echange.import.fichier is 'Nom du fichier envoyé.';
comment on column echange.import.empreinte is 'SHA-256 du fichier : le même, renvoyé, se reconnaît.';
comment on column echange.import.entetes is 'Colonnes de la feuille, dans leur ordre.';
comment on column echange.import.colonnes is 'Pour chaque colonne de la feuille, le champ reconnu, null si elle est laissée de côté.';
comment on column echange.import.etat is 'Où il en est.';
comment on column echange.import.lignes is 'Lignes de la feuille, sans l''en-tête ni les lignes vides.';
comment on column echange.import.acceptees is 'Lignes que l''essai accepte, ou faites.';
comment on column echange.import.refusees is 'Lignes refusées.';
comment on column echange.import.deja is 'Lignes qui existent déjà.';
comment on column echange.import.fait is 'Lignes passées, de l''essai ou de l''import en cours.';
comment on column echange.import.total is 'Lignes à passer.';
comment on column echange.import.tout is 'Vrai si une seule ligne refusée refuse tout l''import.';
comment on column echange.import.message is 'Pourquoi il s''est arrêté, null sinon.';
comment on column echange.import.id_utilisateur is 'Compte qui l''a envoyé, seul à le voir ; ses droits décident. Null hors de l''API.';
comment on column echange.import.id_activite is 'Activité à laquelle ce compte, ou sa clé, était limité.';
comment on column echange.import.id_caisse is 'Caisse à laquelle ce compte, ou sa clé, était limité.';
comment on column echange.import.cle is 'Clé d''API qui l''a envoyé, null d''une personne.';
comment on column echange.import.permissions is 'Permissions de cette clé.';
comment on column echange.import.date_creation is 'Moment de l''envoi.';
comment on column echange.import.date_fin is 'Moment où il a été fini.';
comment on constraint import_nom_de_fichier on echange.import is 'Le nom du fichier compte 200 caractères au plus.';
comment on constraint import_activite_inconnue on echange.import is 'Cette activité n''existe pas.';
comment on constraint import_caisse_inconnue on echange.import is 'Cette caisse n''existe pas.';

-- The rows of a sheet are many and written several times, so the journal leaves them out: it has what they became.
create table echange.ligne (
  id_import bigint not null constraint ligne_import_inconnu references echange.import on delete cascade,
  ligne integer not null,
  cellules jsonb not null,
  donnees jsonb not null,
  issue echange.issue_ligne not null default 'A_ESSAYER',
  erreurs jsonb not null default '[]',
  repere text,
  id_entite bigint,
  constraint ligne_pkey primary key (id_import, ligne)
);
create index ligne_a_passer on echange.ligne (id_import, ligne) where issue in ('A_ESSAYER', 'ACCEPTEE');
create index ligne_repere on echange.ligne (id_import, repere) where issue = 'ACCEPTEE';
create index ligne_id_entite on echange.ligne (id_entite) where id_entite is not null;
comment on table echange.ligne is 'Ligne d''une feuille importée.';
comment on column echange.ligne.ligne is 'Rang dans la feuille, l''en-tête compris.';
comment on column echange.ligne.cellules is 'Ses cellules, telles qu''elles sont dans la feuille.';
comment on column echange.ligne.donnees is 'Ses champs, tels que l''opération les prend.';
comment on column echange.ligne.issue is 'Ce qu''il en est.';
comment on column echange.ligne.erreurs is 'Ce qui ne va pas : champ et message.';
comment on column echange.ligne.repere is 'Ce qui la distingue des autres : code, référence, nom et téléphone…';
comment on column echange.ligne.id_entite is 'Ce qu''elle a créé, ou ce qui existait.';
comment on constraint ligne_import_inconnu on echange.ligne is 'Cet import n''existe pas.';

-- A row of a sheet finds what exists by these.
create index client_noms on client.client (lower(nom), lower(prenoms));
create index plat_nom_minuscule on restaurant.plat (lower(nom));
create index produit_nom_minuscule on market.produit (lower(nom));
create index prestation_libelle_minuscule on facturation.prestation (lower(libelle));

-- A lease in progress, taken over from other books: what was paid there is neither due nor invoiced here.
alter table residence.contrat_location add column paye_jusqu_au date;
-- The new column is empty.
alter table residence.contrat_location
  add constraint reprise_apres_debut check (paye_jusqu_au >= date_debut - 1) not valid;
comment on column residence.contrat_location.paye_jusqu_au is
  'Dernier jour dont le loyer a été payé avant que le contrat soit saisi ; ses échéances commencent le lendemain. Null : au début du contrat.';
comment on constraint reprise_apres_debut on residence.contrat_location is 'Le loyer ne peut pas être payé jusqu''à un jour d''avant le contrat.';
