-- Tills that go on without a network: devices, the operations that they send, and what could not be done.
-- depends: 0096.compta-plan
-- squawk-ignore-file adding-foreign-key-constraint, constraint-missing-not-valid -- the tables and columns are new
-- squawk-ignore-file prefer-bigint-over-smallint -- a status of HTTP

alter table auth.cle add column appareil boolean not null default false;
comment on column auth.cle.appareil is 'Vrai de la clé d''un appareil de caisse : elle n''ouvre que les adresses de celui-ci.';

alter table facturation.facture add column ticket text;
comment on column facturation.facture.ticket is
  'Numéro du ticket qu''un appareil a imprimé sans réseau, null d''une facture faite ici. Écrit à l''émission.';
-- squawk-ignore require-concurrent-index-creation -- no row of before is in the index
create index facture_ticket on facturation.facture (ticket) where ticket is not null;

alter table finances.periode_caisse add column motif_fermeture text;
comment on column finances.periode_caisse.motif_fermeture is
  'Pourquoi la caisse s''est fermée sans attendre un appareil ; null quand aucun ne manquait.';
alter table finances.tirage
  add column montant_en_exception core.somme not null default 0,
  add column motif text;
comment on column finances.tirage.montant_en_exception is
  'Part de montant_attendu qui est l''argent d''exceptions, et d''aucune vente ; posée par un déclencheur.';
comment on column finances.tirage.motif is 'Pourquoi le comptage n''a pas attendu un appareil ; null quand aucun ne manquait.';

create table finances.appareil (
  id_appareil bigint generated always as identity constraint appareil_pkey primary key,
  id_caisse bigint not null constraint appareil_caisse_inconnue references finances.caisse,
  libelle core.libelle not null,
  id_cle bigint constraint appareil_cle_inconnue references auth.cle on delete set null,
  sequence_annoncee bigint not null default 0,
  date_creation timestamptz not null default now(),
  id_utilisateur bigint constraint appareil_utilisateur_inconnu references auth.utilisateur,
  date_revocation timestamptz,
  motif_revocation text
);
create index appareil_id_caisse on finances.appareil (id_caisse);
create unique index appareil_id_cle on finances.appareil (id_cle);
create index appareil_id_utilisateur on finances.appareil (id_utilisateur);
comment on table finances.appareil is 'Appareil d''une caisse, qui vend aussi sans réseau.';
comment on column finances.appareil.id_cle is 'Sa clé d''API, null d''un appareil révoqué.';
comment on column finances.appareil.sequence_annoncee is 'Plus grand numéro que l''appareil a annoncé.';
comment on column finances.appareil.date_creation is 'Moment où il a été inscrit.';
comment on column finances.appareil.id_utilisateur is 'Qui l''a inscrit : ses opérations sont faites en son nom.';
comment on column finances.appareil.date_revocation is 'Moment où sa clé a cessé de valoir, null jusque-là.';
comment on column finances.appareil.motif_revocation is 'Pourquoi il n''est plus attendu alors qu''il lui restait des opérations à envoyer.';
comment on constraint appareil_caisse_inconnue on finances.appareil is 'Cette caisse n''existe pas.';
comment on constraint appareil_cle_inconnue on finances.appareil is 'Cette clé n''existe pas.';
comment on constraint appareil_utilisateur_inconnu on finances.appareil is 'Cet utilisateur n''existe pas.';
comment on index finances.appareil_id_cle is 'Une clé est celle d''un seul appareil.';

create type finances.etat_operation as enum ('ACCEPTEE', 'EXCEPTION');
comment on type finances.etat_operation is 'ACCEPTEE : faite. EXCEPTION : une règle l''a refusée, et elle est gardée entière.';

-- An identity never expires: no job deletes these rows.
create table finances.operation_appareil (
  id_operation uuid constraint operation_appareil_pkey primary key,
  id_appareil bigint not null constraint operation_appareil_inconnu references finances.appareil,
  sequence bigint not null,
  empreinte text not null,
  fonction text,
  etat finances.etat_operation not null,
  code_http smallint not null,
  reponse text,
  client_nomme bigint,
  date_creation timestamptz not null default clock_timestamp(),
  constraint operation_sequence_existante unique (id_appareil, sequence)
);
create index operation_appareil_client on finances.operation_appareil (client_nomme) where client_nomme is not null;
comment on table finances.operation_appareil is 'Opération reçue d''un appareil et sa réponse, écrites dans la transaction de son effet. Rien ne l''efface, et seules les données d''un client effacé quittent la réponse.';
comment on column finances.operation_appareil.id_operation is 'Identité que l''appareil lui a donnée, pour toujours.';
comment on column finances.operation_appareil.sequence is 'Rang parmi les opérations de l''appareil, à partir de 1, sans trou.';
comment on column finances.operation_appareil.empreinte is 'SHA-256 de ce que l''appareil a envoyé.';
comment on column finances.operation_appareil.fonction is 'Opération appelée, null d''un chemin qui n''en a pas.';
comment on column finances.operation_appareil.etat is 'Ce qu''elle est devenue à son arrivée.';
comment on column finances.operation_appareil.code_http is 'Statut HTTP de la réponse.';
comment on column finances.operation_appareil.reponse is 'Corps de la réponse, aux octets près ; null d''une exception et d''une opération qui ne répond rien.';
comment on column finances.operation_appareil.client_nomme is 'Client que nomme la réponse ; l''effacement de ses données la vide.';
comment on column finances.operation_appareil.date_creation is 'Moment de son arrivée.';
comment on constraint operation_appareil_inconnu on finances.operation_appareil is 'Cet appareil n''existe pas.';
comment on constraint operation_sequence_existante on finances.operation_appareil is 'Cet appareil a déjà envoyé une opération de ce numéro.';

create type finances.statut_exception as enum ('OUVERTE', 'REPRISE', 'ABANDONNEE');
comment on type finances.statut_exception is
  'OUVERTE : son argent est dans la caisse et dans aucune vente. REPRISE : faite ensuite, par une personne. ABANDONNEE : elle ne se fera pas.';

create table finances.exception_caisse (
  id_exception bigint generated always as identity constraint exception_caisse_pkey primary key,
  id_operation uuid not null constraint exception_existante unique
    constraint exception_operation_inconnue references finances.operation_appareil,
  id_caisse bigint not null constraint exception_caisse_inconnue references finances.caisse,
  code text not null,
  message text not null,
  operation jsonb not null,
  jour date not null,
  montant core.somme not null,
  statut finances.statut_exception not null default 'OUVERTE',
  date_creation timestamptz not null default clock_timestamp(),
  motif text,
  corrections jsonb,
  reponse text,
  client_nomme bigint,
  id_utilisateur bigint constraint exception_utilisateur_inconnu references auth.utilisateur,
  date_resolution timestamptz,
  constraint exception_resolue check ((statut = 'OUVERTE') = (date_resolution is null)),
  constraint exception_abandonnee_motif check ((statut = 'ABANDONNEE') <= (motif is not null))
);
create index exception_id_caisse on finances.exception_caisse (id_caisse, id_exception desc);
create index exception_ouverte on finances.exception_caisse (id_caisse) where statut = 'OUVERTE';
create index exception_client_nomme on finances.exception_caisse (client_nomme) where client_nomme is not null;
create index exception_id_utilisateur on finances.exception_caisse (id_utilisateur);
comment on table finances.exception_caisse is 'Opération d''un appareil qu''une règle a refusée : ce qui est vendu est vendu, une personne décide de la suite.';
comment on column finances.exception_caisse.code is 'Règle qui l''a refusée.';
comment on column finances.exception_caisse.message is 'Ce que la règle en dit.';
comment on column finances.exception_caisse.operation is 'Opération entière, telle qu''envoyée.';
comment on column finances.exception_caisse.jour is 'Jour de gestion de l''appareil ; celui de l''arrivée si son heure ne se lit pas.';
comment on column finances.exception_caisse.montant is 'Argent entré dans la caisse, négatif s''il en est sorti ; 0 d''une opération sans argent.';
comment on column finances.exception_caisse.statut is 'Ce qu''elle est devenue depuis.';
comment on column finances.exception_caisse.date_creation is 'Moment de son arrivée.';
comment on column finances.exception_caisse.motif is 'Pourquoi elle est abandonnée, ou ce que dit qui la reprend.';
comment on column finances.exception_caisse.corrections is 'Ce que la reprise a changé à l''opération, null sans correction.';
comment on column finances.exception_caisse.reponse is 'Réponse de l''opération reprise.';
comment on column finances.exception_caisse.client_nomme is
  'Client que nomme l''opération ou sa reprise ; l''effacement de ses données en retire les textes.';
comment on column finances.exception_caisse.id_utilisateur is 'Qui l''a reprise ou abandonnée.';
comment on column finances.exception_caisse.date_resolution is 'Moment où elle a été reprise ou abandonnée.';
comment on constraint exception_existante on finances.exception_caisse is 'Cette opération est déjà une exception.';
comment on constraint exception_operation_inconnue on finances.exception_caisse is 'Cette opération n''existe pas.';
comment on constraint exception_caisse_inconnue on finances.exception_caisse is 'Cette caisse n''existe pas.';
comment on constraint exception_utilisateur_inconnu on finances.exception_caisse is 'Cet utilisateur n''existe pas.';
comment on constraint exception_resolue on finances.exception_caisse is 'Une exception résolue l''est à un moment.';
comment on constraint exception_abandonnee_motif on finances.exception_caisse is 'Un abandon a un motif.';

create type finances.genre_fonds as enum ('PRODUIT', 'PLAT', 'VETEMENT', 'PRESTATION', 'TARIF_KG', 'TAXE', 'MOYEN', 'CLIENT');
comment on type finances.genre_fonds is 'Ce qu''un appareil garde pour vendre sans réseau. TARIF_KG : le prix du kilo du pressing, dont id_element est 0.';

create table finances.version_fonds (
  id_version bigint generated always as identity constraint version_fonds_pkey primary key,
  genre finances.genre_fonds not null,
  id_element bigint not null,
  prix numeric(14,2),
  code_taxe text,
  depuis timestamptz not null default clock_timestamp()
);
create index version_fonds_element on finances.version_fonds (genre, id_element, id_version desc);
create index version_fonds_depuis on finances.version_fonds (depuis, id_version);
comment on table finances.version_fonds is
  'Changements de ce que gardent les appareils, écrits par des déclencheurs. De ce qui a un prix, tous ; du reste, le dernier.';
comment on column finances.version_fonds.id_version is 'Croît dans l''ordre des changements ; un appareil dit jusqu''où il a lu.';
comment on column finances.version_fonds.genre is 'Ce qui a changé.';
comment on column finances.version_fonds.id_element is 'Clé de la ligne qui a changé.';
comment on column finances.version_fonds.prix is 'Prix depuis ce changement, null de ce qui n''en a pas.';
comment on column finances.version_fonds.code_taxe is 'Code de taxe depuis ce changement.';
comment on column finances.version_fonds.depuis is 'Moment du changement ; -infinity de ce qui précède les appareils.';

insert into finances.version_fonds (genre, id_element, prix, code_taxe, depuis)
select v.genre::finances.genre_fonds, v.id_element, v.prix, v.code_taxe, '-infinity'
  from (select 1 as rang, 'PRODUIT' as genre, p.id_produit as id_element, p.prix_vente::numeric as prix, p.code_taxe
          from market.produit p
        union all select 2, 'PLAT', p.id_plat, p.prix, p.code_taxe from restaurant.plat p
        union all select 3, 'VETEMENT', v.id_type_vetement, null, null from pressing.type_vetement v
        union all select 4, 'PRESTATION', p.id_prestation, null, p.code_taxe from pressing.prestation p
        union all select 5, 'TARIF_KG', 0, t.prix_kg, null
                    from (select x.prix_kg from pressing.tarif_kg x order by x.id_tarif_kg desc limit 1) t
        union all select 6, 'TAXE', t.id_taxe, null, null from core.taxe t
        union all select 7, 'MOYEN', m.id_moyen, null, null from finances.moyen_paiement m
        union all select 8, 'CLIENT', c.id_client, null, null from client.client c) v
 order by v.rang, v.id_element;
