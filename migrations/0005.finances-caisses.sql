-- Tills, their periods and counts, payments and their application to invoices, expenses.
-- Rows of money are never changed in amount and never deleted.
-- depends: 0004.facturation-factures

create schema finances;
comment on schema finances is 'Caisses, périodes, paiements, dépenses et comptages.';

create type finances.type_paiement as enum ('ENCAISSEMENT', 'DECAISSEMENT');
comment on type finances.type_paiement is 'Sens du paiement : argent reçu ou rendu.';

create table finances.moyen_paiement (
  id_moyen bigint generated always as identity constraint moyen_paiement_pkey primary key,
  libelle core.libelle not null constraint moyen_paiement_existant unique,
  actif boolean not null default true
);
comment on table finances.moyen_paiement is 'Moyen de paiement accepté.';
comment on constraint moyen_paiement_existant on finances.moyen_paiement is 'Ce moyen de paiement existe déjà.';

create table finances.caisse (
  id_caisse bigint generated always as identity constraint caisse_pkey primary key,
  libelle core.libelle not null constraint caisse_existante unique,
  id_activite bigint not null constraint caisse_activite_inconnue references core.activite,
  actif boolean not null default true
);
create index caisse_id_activite on finances.caisse (id_activite);
comment on table finances.caisse is 'Caisse d''une activité ; l''activité ne change pas.';
comment on constraint caisse_existante on finances.caisse is 'Une caisse porte déjà ce libellé.';
comment on constraint caisse_activite_inconnue on finances.caisse is 'Cette activité n''existe pas.';

create table finances.affectation_caisse (
  id_utilisateur bigint constraint affectation_caisse_pkey primary key
    constraint affectation_utilisateur_inconnu references auth.utilisateur on delete cascade,
  id_caisse bigint not null constraint affectation_caisse_inconnue references finances.caisse
);
create index affectation_caisse_id_caisse on finances.affectation_caisse (id_caisse);
comment on table finances.affectation_caisse is 'Caisse imposée à un utilisateur : tout ce qu''il encaisse ou dépense y va.';
comment on constraint affectation_caisse_inconnue on finances.affectation_caisse is 'Cette caisse n''existe pas.';

create table finances.periode_caisse (
  id_periode bigint generated always as identity constraint periode_caisse_pkey primary key,
  id_caisse bigint not null constraint periode_caisse_inconnue references finances.caisse,
  ouverture timestamptz not null default now(),
  fermeture timestamptz,
  fond_initial core.montant not null default 0,
  id_utilisateur_ouverture bigint constraint ouverture_utilisateur_inconnu references auth.utilisateur,
  id_utilisateur_fermeture bigint constraint fermeture_utilisateur_inconnu references auth.utilisateur,
  constraint periode_ordonnee check (fermeture >= ouverture)
);
create unique index caisse_deja_ouverte on finances.periode_caisse (id_caisse) where fermeture is null;
create index periode_caisse_id_caisse on finances.periode_caisse (id_caisse, ouverture desc);
create index periode_caisse_id_utilisateur_ouverture on finances.periode_caisse (id_utilisateur_ouverture);
create index periode_caisse_id_utilisateur_fermeture on finances.periode_caisse (id_utilisateur_fermeture);
comment on table finances.periode_caisse is 'Période d''ouverture d''une caisse ; une seule ouverte à la fois.';
comment on column finances.periode_caisse.fond_initial is 'Argent en caisse à l''ouverture, hors montant attendu.';
comment on index finances.caisse_deja_ouverte is 'Cette caisse est déjà ouverte.';
comment on constraint periode_ordonnee on finances.periode_caisse is 'Une période se ferme après son ouverture.';
comment on constraint periode_caisse_inconnue on finances.periode_caisse is 'Cette caisse n''existe pas.';

create table finances.paiement (
  id_paiement bigint generated always as identity constraint paiement_pkey primary key,
  date timestamptz not null default now(),
  jour date not null,
  montant core.montant_du_reglement not null,
  type finances.type_paiement not null default 'ENCAISSEMENT',
  id_moyen bigint not null constraint paiement_moyen_inconnu references finances.moyen_paiement,
  id_activite bigint constraint paiement_activite_inconnue references core.activite,
  id_caisse bigint constraint paiement_caisse_inconnue references finances.caisse,
  id_periode bigint constraint paiement_periode_inconnue references finances.periode_caisse,
  id_utilisateur bigint constraint paiement_utilisateur_inconnu references auth.utilisateur,
  motif core.texte,
  reference core.libelle,
  id_paiement_origine bigint constraint paiement_origine_inconnu references finances.paiement,
  constraint periode_avec_caisse check ((id_caisse is null) = (id_periode is null))
);
create index paiement_date on finances.paiement (date desc, id_paiement desc);
create index paiement_jour on finances.paiement (jour, id_activite, type) include (montant);
create index paiement_id_caisse on finances.paiement (id_caisse, jour, type) include (montant);
create index paiement_id_caisse_date on finances.paiement (id_caisse, date desc, id_paiement desc);
create index paiement_id_paiement_origine on finances.paiement (id_paiement_origine) where id_paiement_origine is not null;
create index paiement_id_periode on finances.paiement (id_periode);
create index paiement_id_activite on finances.paiement (id_activite, date desc, id_paiement desc);
create index paiement_id_utilisateur on finances.paiement (id_utilisateur, jour);
create index paiement_id_moyen on finances.paiement (id_moyen, date desc, id_paiement desc);
comment on table finances.paiement is 'Argent reçu ou rendu. Le montant ne change jamais ; une erreur se corrige par un paiement contraire.';
comment on column finances.paiement.jour is 'Date de gestion du paiement.';
comment on column finances.paiement.id_periode is 'Période ouverte de la caisse au moment du paiement, posée par un déclencheur.';
comment on column finances.paiement.id_paiement_origine is 'Paiement que celui-ci rend, en tout ou en partie.';
comment on constraint paiement_moyen_inconnu on finances.paiement is 'Ce moyen de paiement n''existe pas.';
comment on constraint paiement_activite_inconnue on finances.paiement is 'Cette activité n''existe pas.';
comment on constraint paiement_caisse_inconnue on finances.paiement is 'Cette caisse n''existe pas.';
comment on constraint paiement_periode_inconnue on finances.paiement is 'Cette période de caisse n''existe pas.';
comment on constraint paiement_origine_inconnu on finances.paiement is 'Le paiement à annuler n''existe pas.';
comment on constraint periode_avec_caisse on finances.paiement is 'Un paiement en caisse appartient à une période de cette caisse.';

create table finances.application_paiement (
  id_application bigint generated always as identity constraint application_paiement_pkey primary key,
  id_paiement bigint not null constraint application_paiement_inconnu references finances.paiement,
  id_facture bigint not null constraint application_facture_inconnue references facturation.facture
                             deferrable initially deferred,
  montant core.montant_signe not null constraint application_non_nulle check (montant <> 0)
);
create index application_paiement_id_facture on finances.application_paiement (id_facture) include (montant);
create index application_paiement_id_paiement on finances.application_paiement (id_paiement);
comment on table finances.application_paiement is 'Part d''un paiement qui règle une facture ; négative pour un paiement contraire. Celle d''une nouvelle facture est écrite juste avant elle.';
comment on constraint application_non_nulle on finances.application_paiement is 'Une application de paiement n''est pas nulle.';
comment on constraint application_paiement_inconnu on finances.application_paiement is 'Ce paiement n''existe pas.';
comment on constraint application_facture_inconnue on finances.application_paiement is 'Cette facture n''existe pas.';

create table finances.categorie_depense (
  id_categorie_depense bigint generated always as identity constraint categorie_depense_pkey primary key,
  libelle core.libelle not null constraint categorie_depense_existante unique
);
comment on table finances.categorie_depense is 'Catégorie de dépense.';
comment on constraint categorie_depense_existante on finances.categorie_depense is 'Cette catégorie existe déjà.';

create table finances.depense (
  id_depense bigint generated always as identity constraint depense_pkey primary key,
  date timestamptz not null default now(),
  jour date not null,
  montant core.montant_du_reglement not null,
  id_categorie_depense bigint not null constraint depense_categorie_inconnue references finances.categorie_depense,
  id_activite bigint constraint depense_activite_inconnue references core.activite,
  id_caisse bigint constraint depense_caisse_inconnue references finances.caisse,
  id_periode bigint constraint depense_periode_inconnue references finances.periode_caisse,
  id_utilisateur bigint constraint depense_utilisateur_inconnu references auth.utilisateur,
  libelle core.libelle not null,
  justificatif core.texte,
  date_annulation timestamptz,
  constraint depense_periode_avec_caisse check ((id_caisse is null) = (id_periode is null))
);
create index depense_date on finances.depense (date desc, id_depense desc);
create index depense_jour on finances.depense (jour, id_activite) include (montant) where date_annulation is null;
create index depense_id_caisse on finances.depense (id_caisse, jour) include (montant) where date_annulation is null;
create index depense_id_periode on finances.depense (id_periode);
create index depense_id_categorie_depense on finances.depense (id_categorie_depense, date desc, id_depense desc);
create index depense_id_activite on finances.depense (id_activite, date desc, id_depense desc);
create index depense_id_utilisateur on finances.depense (id_utilisateur);
comment on table finances.depense is 'Dépense. Supprimée, elle reste ici et au journal, hors des listes et des sommes.';
comment on column finances.depense.jour is 'Date de gestion de la dépense.';
comment on column finances.depense.date_annulation is 'Suppression, possible tant que la période de caisse est ouverte.';
comment on constraint depense_categorie_inconnue on finances.depense is 'Cette catégorie de dépense n''existe pas ou a encore des dépenses.';
comment on constraint depense_activite_inconnue on finances.depense is 'Cette activité n''existe pas.';
comment on constraint depense_caisse_inconnue on finances.depense is 'Cette caisse n''existe pas.';
comment on constraint depense_periode_inconnue on finances.depense is 'Cette période de caisse n''existe pas.';
comment on constraint depense_periode_avec_caisse on finances.depense is 'Une dépense en caisse appartient à une période de cette caisse.';

create table finances.tirage (
  id_tirage bigint generated always as identity constraint tirage_pkey primary key,
  id_caisse bigint not null constraint tirage_caisse_inconnue references finances.caisse,
  date date not null,
  montant_compte core.montant not null,
  montant_attendu core.montant_signe not null,
  ecart core.montant_signe not null generated always as (montant_compte - montant_attendu) stored,
  note core.texte,
  id_utilisateur bigint constraint tirage_utilisateur_inconnu references auth.utilisateur,
  date_creation timestamptz not null default now(),
  constraint tirage_deja_fait unique (id_caisse, date)
);
create index tirage_date on finances.tirage (date desc, id_tirage desc);
create index tirage_id_utilisateur on finances.tirage (id_utilisateur);
comment on table finances.tirage is 'Comptage d''une caisse en fin de journée, un par caisse et par jour.';
comment on column finances.tirage.montant_attendu is 'Encaissements − décaissements − dépenses de la caisse et du jour.';
comment on column finances.tirage.ecart is 'montant_compte − montant_attendu.';
comment on constraint tirage_deja_fait on finances.tirage is 'Le tirage de cette caisse est déjà fait pour ce jour.';
comment on constraint tirage_caisse_inconnue on finances.tirage is 'Cette caisse n''existe pas.';

insert into finances.moyen_paiement (libelle) values
  ('Espèces'), ('Mobile Money'), ('Carte bancaire'), ('Virement'), ('Chèque');
