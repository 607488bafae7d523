-- Accounts outside the tills (bank, mobile money), transfers between tills and accounts, and expenses of accounts.
-- depends: 0089.finances-resume-impaye
-- squawk-ignore-file constraint-missing-not-valid -- the tables are new, or have one row for each account
-- squawk-ignore-file changing-column-type, ban-drop-constraint, renaming-object, ban-drop-type -- of the few rows of compta.compte
-- squawk-ignore-file adding-foreign-key-constraint, require-concurrent-index-creation -- the column of the few expenses is new, and holds null only

create schema tresorerie;
comment on schema tresorerie is 'Comptes hors caisse, en banque et au téléphone, et virements.';

create type tresorerie.genre_compte as enum ('BANQUE', 'MOBILE');
comment on type tresorerie.genre_compte is 'Où l''argent d''un compte se trouve : à la banque, ou chez un opérateur de téléphonie.';
create type tresorerie.fournisseur as enum ('AUCUN', 'PI_SPI', 'WAVE', 'CINETPAY');
comment on type tresorerie.fournisseur is 'Service qui tient un compte ; AUCUN : ses paiements se saisissent.';

create table tresorerie.compte (
  id_compte bigint generated always as identity constraint compte_pkey primary key,
  libelle core.libelle not null constraint compte_de_tresorerie_existant unique,
  genre tresorerie.genre_compte not null,
  fournisseur tresorerie.fournisseur not null default 'AUCUN',
  identifiant core.libelle,
  id_moyen bigint not null constraint compte_de_tresorerie_moyen_inconnu references finances.moyen_paiement,
  id_activite bigint constraint compte_de_tresorerie_activite_inconnue references core.activite,
  actif boolean not null default true,
  depuis date,
  fin date,
  constraint compte_ferme_date check (actif = (fin is null))
);
create unique index compte_du_moyen_existant on tresorerie.compte (id_moyen, id_activite) nulls not distinct where actif;
create index compte_id_moyen on tresorerie.compte (id_moyen);
create index compte_id_activite on tresorerie.compte (id_activite);
comment on table tresorerie.compte is
  'Compte en banque ou au téléphone. Il reçoit les paiements de son moyen faits sans caisse ; le paiement ne le nomme pas.';
comment on column tresorerie.compte.genre is 'BANQUE ou MOBILE.';
comment on column tresorerie.compte.fournisseur is 'Service qui tient le compte.';
comment on column tresorerie.compte.identifiant is 'Numéro du compte chez la banque ou l''opérateur.';
comment on column tresorerie.compte.id_moyen is 'Moyen de paiement dont l''argent arrive sur ce compte.';
comment on column tresorerie.compte.id_activite is 'Activité dont l''argent arrive sur ce compte ; null pour celles qui n''ont pas le leur.';
comment on column tresorerie.compte.actif is 'Faux : plus aucun paiement ni virement n''y arrive.';
comment on column tresorerie.compte.depuis is
  'Premier jour dont les paiements y arrivent ; null pour le premier compte de son moyen, qui prend tous ceux d''avant. Posé par un déclencheur.';
comment on column tresorerie.compte.fin is 'Jour de la désactivation, null d''un compte actif. Posé par un déclencheur.';
comment on index tresorerie.compte_du_moyen_existant is
  'Un compte actif reçoit déjà ce moyen de paiement pour cette activité : désactivez-le d''abord.';
comment on constraint compte_de_tresorerie_existant on tresorerie.compte is 'Un compte porte déjà ce libellé.';
comment on constraint compte_de_tresorerie_moyen_inconnu on tresorerie.compte is 'Ce moyen de paiement n''existe pas.';
comment on constraint compte_de_tresorerie_activite_inconnue on tresorerie.compte is 'Cette activité n''existe pas.';
comment on constraint compte_ferme_date on tresorerie.compte is 'Un compte désactivé a le jour de sa désactivation.';

create table tresorerie.virement (
  id_virement bigint generated always as identity constraint virement_pkey primary key,
  numero core.libelle not null constraint virement_numero_existant unique,
  date timestamptz not null default now(),
  jour date not null,
  montant core.montant_du_reglement not null,
  frais core.montant not null default 0,
  id_caisse_de bigint constraint virement_caisse_de_inconnue references finances.caisse,
  id_periode_de bigint constraint virement_periode_de_inconnue references finances.periode_caisse,
  id_compte_de bigint constraint virement_compte_de_inconnu references tresorerie.compte,
  id_caisse_vers bigint constraint virement_caisse_vers_inconnue references finances.caisse,
  id_periode_vers bigint constraint virement_periode_vers_inconnue references finances.periode_caisse,
  id_compte_vers bigint constraint virement_compte_vers_inconnu references tresorerie.compte,
  id_moyen bigint constraint virement_moyen_inconnu references finances.moyen_paiement,
  reference core.libelle,
  motif core.texte,
  id_utilisateur bigint constraint virement_utilisateur_inconnu references auth.utilisateur,
  id_virement_origine bigint constraint virement_deja_annule unique
    constraint virement_origine_inconnu references tresorerie.virement,
  constraint virement_d_un_endroit check (num_nonnulls(id_caisse_de, id_compte_de) = 1),
  constraint virement_vers_un_endroit check (num_nonnulls(id_caisse_vers, id_compte_vers) = 1),
  constraint virement_sur_place check (coalesce(id_caisse_de <> id_caisse_vers, id_compte_de <> id_compte_vers, true)),
  constraint virement_periodes check ((id_caisse_de is null) = (id_periode_de is null)
                                      and (id_caisse_vers is null) = (id_periode_vers is null)),
  constraint virement_moyen_en_caisse check (id_moyen is null or num_nonnulls(id_caisse_de, id_caisse_vers) > 0)
);
create index virement_date on tresorerie.virement (date desc, id_virement desc);
create index virement_jour on tresorerie.virement (jour, id_virement);
create index virement_id_caisse_de on tresorerie.virement (id_caisse_de, jour) where id_caisse_de is not null;
create index virement_id_caisse_vers on tresorerie.virement (id_caisse_vers, jour) where id_caisse_vers is not null;
create index virement_id_compte_de on tresorerie.virement (id_compte_de, jour) where id_compte_de is not null;
create index virement_id_compte_vers on tresorerie.virement (id_compte_vers, jour) where id_compte_vers is not null;
create index virement_id_periode_de on tresorerie.virement (id_periode_de) where id_periode_de is not null;
create index virement_id_periode_vers on tresorerie.virement (id_periode_vers) where id_periode_vers is not null;
create index virement_id_moyen on tresorerie.virement (id_moyen) where id_moyen is not null;
create index virement_id_utilisateur on tresorerie.virement (id_utilisateur);
comment on table tresorerie.virement is
  'Argent passé d''une caisse ou d''un compte à un autre, en une ligne. Il ne change ni ne s''efface : un virement contraire l''annule.';
comment on column tresorerie.virement.numero is 'Numéro sans trou, <ORG>-VIR-<AAAA>-<NNN>, de l''année de la saisie.';
comment on column tresorerie.virement.date is 'Moment du virement.';
comment on column tresorerie.virement.reference is 'Bordereau, ou numéro chez la banque ou l''opérateur.';
comment on column tresorerie.virement.id_utilisateur is 'Qui l''a saisi, null hors de l''API.';
comment on column tresorerie.virement.jour is 'Date de gestion du virement.';
comment on column tresorerie.virement.montant is 'Ce qui arrive.';
comment on column tresorerie.virement.frais is
  'Ce que l''endroit de départ paie en plus ; un virement contraire les rend à cet endroit.';
comment on column tresorerie.virement.id_caisse_de is 'Caisse de départ, null si l''argent part d''un compte.';
comment on column tresorerie.virement.id_compte_de is 'Compte de départ, null si l''argent part d''une caisse.';
comment on column tresorerie.virement.id_caisse_vers is 'Caisse d''arrivée, null si l''argent arrive sur un compte.';
comment on column tresorerie.virement.id_compte_vers is 'Compte d''arrivée, null si l''argent arrive dans une caisse.';
comment on column tresorerie.virement.id_periode_de is 'Période ouverte de la caisse de départ, posée par un déclencheur.';
comment on column tresorerie.virement.id_periode_vers is 'Période ouverte de la caisse d''arrivée, posée par un déclencheur.';
comment on column tresorerie.virement.id_moyen is
  'Moyen par lequel la caisse avait reçu cet argent, null pour ses espèces : le livre a déjà mis ces paiements au compte du moyen.';
comment on column tresorerie.virement.motif is 'Raison de l''annulation, d''un virement contraire.';
comment on column tresorerie.virement.id_virement_origine is 'Virement que celui-ci annule.';
comment on constraint virement_numero_existant on tresorerie.virement is 'Ce numéro de virement est déjà pris.';
comment on constraint virement_deja_annule on tresorerie.virement is 'Ce virement est déjà annulé.';
comment on constraint virement_origine_inconnu on tresorerie.virement is 'Le virement à annuler n''existe pas.';
comment on constraint virement_d_un_endroit on tresorerie.virement is 'L''argent part d''une caisse ou d''un compte, l''un ou l''autre.';
comment on constraint virement_vers_un_endroit on tresorerie.virement is 'L''argent arrive dans une caisse ou sur un compte, l''un ou l''autre.';
comment on constraint virement_sur_place on tresorerie.virement is 'L''argent part et arrive au même endroit.';
comment on constraint virement_periodes on tresorerie.virement is 'Un virement d''une caisse appartient à une période de cette caisse.';
comment on constraint virement_moyen_inconnu on tresorerie.virement is 'Ce moyen de paiement n''existe pas.';
comment on constraint virement_moyen_en_caisse on tresorerie.virement is 'Un virement de compte à compte n''a pas de moyen : chaque compte a le sien.';
comment on constraint virement_caisse_de_inconnue on tresorerie.virement is 'Cette caisse n''existe pas.';
comment on constraint virement_caisse_vers_inconnue on tresorerie.virement is 'Cette caisse n''existe pas.';
comment on constraint virement_periode_de_inconnue on tresorerie.virement is 'Cette période de caisse n''existe pas.';
comment on constraint virement_periode_vers_inconnue on tresorerie.virement is 'Cette période de caisse n''existe pas.';
comment on constraint virement_compte_de_inconnu on tresorerie.virement is 'Ce compte n''existe pas.';
comment on constraint virement_compte_vers_inconnu on tresorerie.virement is 'Ce compte n''existe pas.';
comment on constraint virement_utilisateur_inconnu on tresorerie.virement is 'Cet utilisateur n''existe pas.';

alter table finances.depense
  add column id_compte bigint constraint depense_compte_inconnu references tresorerie.compte,
  add constraint depense_d_un_endroit check (id_caisse is null or id_compte is null);
create index depense_id_compte on finances.depense (id_compte, jour) include (montant)
  where id_compte is not null and date_annulation is null;
comment on column finances.depense.id_compte is 'Compte hors caisse qui a payé la dépense ; null pour une caisse, ou pour de l''argent que rien ne suit.';
comment on constraint depense_compte_inconnu on finances.depense is 'Ce compte n''existe pas.';
comment on constraint depense_d_un_endroit on finances.depense is 'Une dépense sort d''une caisse ou d''un compte, l''un ou l''autre.';

-- Payments without a till by day and method. Only what is summed up already counts here; later payments are read one by one.
create table finances.resume_moyen (
  jour date not null,
  id_moyen bigint not null constraint resume_moyen_inconnu references finances.moyen_paiement,
  id_activite bigint constraint resume_moyen_activite_inconnue references core.activite,
  montant core.somme not null,
  constraint resume_moyen_unique unique nulls not distinct (id_moyen, id_activite, jour)
);
create index resume_moyen_id_activite on finances.resume_moyen (id_activite);
alter table finances.resume_moyen replica identity full;
comment on table finances.resume_moyen is
  'Paiements faits sans caisse, résumés par jour, moyen et activité ; la tâche « resumer-paiements » les y ajoute, chacun une fois.';
comment on column finances.resume_moyen.jour is 'Date de gestion des paiements.';
comment on column finances.resume_moyen.montant is 'Encaissements − décaissements.';
comment on column finances.resume_moyen.id_activite is 'Activité des paiements, null pour ceux qui n''en ont pas.';
comment on constraint resume_moyen_inconnu on finances.resume_moyen is 'Ce moyen de paiement n''existe pas.';
comment on constraint resume_moyen_activite_inconnue on finances.resume_moyen is 'Cette activité n''existe pas.';
comment on constraint resume_moyen_unique on finances.resume_moyen is 'Ce jour est déjà résumé.';

-- The job takes the row of its state first, and no payment that it has added up changes meanwhile.
select from core.resume_etat e where e.entite = 'finances.paiement' for update;
lock table finances.paiement in share mode;
insert into finances.resume_moyen (jour, id_moyen, id_activite, montant)
select p.jour, p.id_moyen, p.id_activite, sum(case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end)
  from finances.paiement p
 where p.id_caisse is null and not p.credit
   and p.id_paiement <= (select e.jusqu_a from core.resume_etat e where e.entite = 'finances.paiement')
 group by p.jour, p.id_moyen, p.id_activite;

-- A new label of an enum could not be used in this transaction, so the type of the few rows of compta.compte is made
-- again. The label of the large table compta.ecriture is only added, and the code reads it as a text.
alter table compta.compte drop constraint compte_du_cas;
alter type compta.cas rename to cas_d_avant;
create type compta.cas as enum (
  'CLIENTS', 'CREDIT_CLIENT', 'VENTES', 'TAXES', 'CAISSES', 'MOYENS', 'HORS_CAISSE', 'VIREMENTS', 'FRAIS', 'DEPENSES',
  'DEPENSES_HORS_CAISSE', 'CAUTIONS', 'CAUTIONS_RETENUES', 'SALAIRES', 'PRIMES', 'PERSONNEL', 'PERSONNEL_AVANCES',
  'PERSONNEL_RETENUES');
comment on type compta.cas is 'Ce qui demande un compte.';
alter table compta.compte alter column cas type compta.cas using cas::text::compta.cas;
drop type compta.cas_d_avant;
alter table compta.compte add constraint compte_du_cas check (
  num_nonnulls(id_activite, id_moyen, id_caisse, id_categorie_depense, code_taxe) <= 1
  and (id_activite is null or cas = 'VENTES') and (id_moyen is null or cas = 'MOYENS')
  and (id_caisse is null or cas = 'CAISSES') and (id_categorie_depense is null or cas = 'DEPENSES')
  and (code_taxe is null or cas = 'TAXES') and (cas <> 'MOYENS' or id_moyen is not null));
comment on constraint compte_du_cas on compta.compte is 'Ce cas ne se divise pas ainsi.';
insert into compta.compte (cas, compte, libelle) values
  ('VIREMENTS', '585', 'Virements de fonds'),
  ('FRAIS', '631', 'Frais bancaires');

alter type compta.type_ecriture add value 'VIREMENT' after 'PAIE';
