-- Buildings, rooms, leases, their instalments and deposits, and the one table that says who holds a room when.
-- depends: 0009.abonnement-categories

-- Trusted since PostgreSQL 13: whoever may create in the database may create it. Its operators serve through their
-- operator class, so nobody needs a grant on them.
create extension if not exists btree_gist with schema public;

create schema residence;
comment on schema residence is 'Bâtiments, logements, contrats de location, échéances, cautions, séjours, charges.';

create domain residence.code_batiment as text
  constraint code_batiment_mal_forme check (value ~ '^\S(.{0,18}\S)?$');
comment on domain residence.code_batiment is 'Code d''un bâtiment, 1 à 20 caractères.';
comment on constraint code_batiment_mal_forme on domain residence.code_batiment is 'Un code de bâtiment compte 1 à 20 caractères, sans espace au bord (exemple : D).';

create domain residence.duree_mois as smallint
  constraint duree_minimale check (value >= 1)
  constraint duree_maximale check (value <= 600);
comment on domain residence.duree_mois is 'Durée en mois, de 1 à 600.';
comment on constraint duree_minimale on domain residence.duree_mois is 'La durée est d''un mois au moins.';
comment on constraint duree_maximale on domain residence.duree_mois is 'La durée est de 600 mois au plus.';

create type residence.type_logement as enum ('CHAMBRE', 'STUDIO', 'APPARTEMENT', 'MEUBLE');
comment on type residence.type_logement is 'Nature d''un logement.';
create type residence.statut_logement as enum
  ('DISPONIBLE', 'RESERVE', 'OCCUPE', 'EN_NETTOYAGE', 'EN_MAINTENANCE', 'INDISPONIBLE');
comment on type residence.statut_logement is 'État d''un logement.';
create type residence.type_location as enum ('MENSUEL', 'ANNUEL');
comment on type residence.type_location is 'Ce que couvre une échéance : un mois ou une année civile.';
create type residence.statut_contrat as enum ('EN_ATTENTE', 'ACTIF', 'RESILIE', 'TERMINE');
comment on type residence.statut_contrat is 'État d''un contrat de location.';
create type residence.statut_caution as enum ('EN_COURS', 'RESTITUEE', 'RETENUE');
comment on type residence.statut_caution is 'État d''une caution, déduit de sa restitution.';
create type residence.evenement_caution as enum
  ('DECLARATION', 'VERSEMENT', 'ENCAISSEMENT', 'RESTITUTION', 'REMBOURSEMENT');
comment on type residence.evenement_caution is
  'Histoire d''une caution ; VERSEMENT et RESTITUTION sont déclarés, ENCAISSEMENT et REMBOURSEMENT passent par un paiement.';

create table residence.batiment (
  id_batiment bigint generated always as identity constraint batiment_pkey primary key,
  code residence.code_batiment not null constraint code_batiment_existant unique,
  nom core.libelle not null,
  adresse core.texte,
  actif boolean not null default true,
  dernier_rang integer not null default 0
);
comment on table residence.batiment is 'Bâtiment.';
comment on column residence.batiment.dernier_rang is 'Rang du dernier logement numéroté, tenu par un déclencheur.';
comment on constraint code_batiment_existant on residence.batiment is 'Un bâtiment porte déjà ce code.';

create table residence.logement (
  id_logement bigint generated always as identity constraint logement_pkey primary key,
  numero core.libelle not null constraint numero_logement_existant unique,
  nom core.libelle,
  type residence.type_logement not null,
  tarif core.montant not null,
  equipements core.texte,
  statut residence.statut_logement not null default 'DISPONIBLE',
  etat core.texte,
  id_batiment bigint not null constraint logement_batiment_inconnu references residence.batiment
);
create index logement_id_batiment on residence.logement (id_batiment, statut);
comment on table residence.logement is 'Logement à louer.';
comment on column residence.logement.numero is 'Numéro donné par la base, <ORG>-<TYPE><NN>-<CODE DU BÂTIMENT> (GSG-CH01-B), ou saisi à la création ; il ne change jamais.';
comment on column residence.logement.tarif is 'Loyer ou prix indicatif.';
comment on column residence.logement.etat is 'État constaté, en texte libre.';
comment on constraint numero_logement_existant on residence.logement is 'Un logement porte déjà ce numéro.';
comment on constraint logement_batiment_inconnu on residence.logement is 'Ce bâtiment n''existe pas ou a encore des logements.';

create table residence.contrat_location (
  id_contrat bigint generated always as identity constraint contrat_location_pkey primary key,
  numero_contrat text not null constraint numero_contrat_existant unique,
  id_client bigint not null constraint contrat_client_inconnu references client.client,
  id_logement bigint not null constraint contrat_logement_inconnu references residence.logement,
  date_debut date not null,
  date_fin_prevue date,
  duree_mois residence.duree_mois,
  type_location residence.type_location not null,
  loyer_initial core.montant_du_reglement not null,
  periodicite core.libelle,
  statut residence.statut_contrat not null default 'EN_ATTENTE',
  date_signature date,
  date_resiliation date,
  motif_resiliation core.texte,
  date_creation timestamptz not null default now(),
  id_utilisateur bigint constraint contrat_utilisateur_inconnu references auth.utilisateur,
  constraint debut_contrat_plausible check (date_debut between date '2000-01-01' and date '2100-01-01'),
  constraint fin_contrat_apres_debut check (date_fin_prevue >= date_debut),
  constraint fin_contrat_plausible check (date_fin_prevue - date_debut <= 18300),
  constraint signature_avant_debut check (date_signature <= date_debut),
  constraint resiliation_apres_debut check (date_resiliation >= date_debut),
  constraint contrat_resilie_date check ((statut = 'RESILIE') = (date_resiliation is not null))
);
create index contrat_location_id_client on residence.contrat_location (id_client);
create index contrat_location_id_logement on residence.contrat_location (id_logement);
create index contrat_location_statut on residence.contrat_location (statut, id_contrat);
create index contrat_location_id_utilisateur on residence.contrat_location (id_utilisateur);
create index contrat_location_sans_fin on residence.contrat_location (id_contrat)
  where statut = 'ACTIF' and date_fin_prevue is null;
create index contrat_location_a_terminer on residence.contrat_location (date_fin_prevue) where statut = 'ACTIF';
comment on table residence.contrat_location is 'Contrat de location d''un logement à un client.';
comment on column residence.contrat_location.numero_contrat is 'Numéro CON-<AAAA>-<NNN>, sans trou, donné par la base.';
comment on column residence.contrat_location.loyer_initial is 'Loyer à la signature, du mois ou de l''année selon type_location ; residence.revision_loyer dit la suite.';
comment on column residence.contrat_location.date_fin_prevue is 'Dernier jour du contrat, null sans terme.';
comment on constraint numero_contrat_existant on residence.contrat_location is 'Un contrat porte déjà ce numéro.';
comment on constraint contrat_client_inconnu on residence.contrat_location is 'Ce client n''existe pas.';
comment on constraint contrat_logement_inconnu on residence.contrat_location is 'Ce logement n''existe pas.';
comment on constraint debut_contrat_plausible on residence.contrat_location is 'La date de début n''est pas plausible.';
comment on constraint fin_contrat_apres_debut on residence.contrat_location is 'Le contrat finit avant son début.';
comment on constraint fin_contrat_plausible on residence.contrat_location is 'Un contrat dure cinquante ans au plus.';
comment on constraint signature_avant_debut on residence.contrat_location is 'La signature ne peut pas suivre le début du contrat.';
comment on constraint resiliation_apres_debut on residence.contrat_location is 'La résiliation ne peut pas précéder le début du contrat.';
comment on constraint contrat_resilie_date on residence.contrat_location is 'Un contrat résilié, et lui seul, a une date de résiliation.';

create table residence.revision_loyer (
  id_revision bigint generated always as identity constraint revision_loyer_pkey primary key,
  id_contrat bigint not null constraint revision_contrat_inconnu references residence.contrat_location,
  ancien_montant core.montant not null,
  nouveau_montant core.montant_du_reglement not null,
  date_effet date not null,
  motif core.texte,
  date_creation timestamptz not null default now(),
  id_utilisateur bigint constraint revision_utilisateur_inconnu references auth.utilisateur
);
create index revision_loyer_id_contrat on residence.revision_loyer (id_contrat, date_effet desc, id_revision desc);
create index revision_loyer_id_utilisateur on residence.revision_loyer (id_utilisateur);
comment on table residence.revision_loyer is 'Loyer d''un contrat à partir d''une date ; à date égale la dernière ligne vaut.';
comment on constraint revision_contrat_inconnu on residence.revision_loyer is 'Ce contrat n''existe pas.';

create table residence.echeance (
  id_echeance bigint generated always as identity constraint echeance_pkey primary key,
  id_contrat bigint not null constraint echeance_contrat_inconnu references residence.contrat_location,
  date_echeance date not null,
  annee smallint not null generated always as (extract(year from date_echeance)) stored,
  mois smallint not null generated always as (extract(month from date_echeance)) stored,
  date_fin date not null,
  montant core.montant not null,
  montant_paye core.montant not null default 0,
  id_paiement bigint constraint echeance_paiement_inconnu references finances.paiement,
  annulee boolean not null default false,
  constraint echeance_existante unique (id_contrat, annee, mois),
  constraint echeance_datee check (date_fin >= date_echeance),
  constraint echeance_surpayee check (montant_paye <= montant),
  constraint echeance_annulee_impayee check (not annulee or montant_paye = 0)
);
create index echeance_date on residence.echeance (date_echeance desc, id_echeance desc) where not annulee;
create index echeance_a_payer on residence.echeance (date_echeance, id_echeance) where montant_paye < montant and not annulee;
create index echeance_id_paiement on residence.echeance (id_paiement) where id_paiement is not null;
comment on table residence.echeance is 'Loyer d''un mois, ou d''une année civile, d''un contrat. Son état se déduit de ses montants et du jour.';
comment on column residence.echeance.date_echeance is 'Premier jour couvert, où le loyer est dû.';
comment on column residence.echeance.date_fin is 'Dernier jour couvert.';
comment on column residence.echeance.montant is 'Loyer, au prorata des jours pour un mois ou une année incomplets.';
comment on column residence.echeance.montant_paye is 'Payé par la facture de l''échéance, tenu par un déclencheur.';
comment on column residence.echeance.id_paiement is 'Dernier paiement, tenu par un déclencheur.';
comment on column residence.echeance.annulee is 'Impayée et postérieure à la résiliation : elle n''est plus due.';
comment on constraint echeance_existante on residence.echeance is 'Ce contrat a déjà une échéance pour ce mois.';
comment on constraint echeance_datee on residence.echeance is 'Une échéance finit après son début.';
comment on constraint echeance_surpayee on residence.echeance is 'Le paiement dépasse le reste à payer de l''échéance.';
comment on constraint echeance_annulee_impayee on residence.echeance is 'Une échéance payée ne s''annule pas.';
comment on constraint echeance_contrat_inconnu on residence.echeance is 'Ce contrat n''existe pas.';
comment on constraint echeance_paiement_inconnu on residence.echeance is 'Ce paiement n''existe pas.';

create table residence.caution (
  id_caution bigint generated always as identity constraint caution_pkey primary key,
  id_contrat bigint not null constraint caution_contrat_inconnu references residence.contrat_location
                             constraint caution_deja_declaree unique,
  montant core.montant_du_reglement not null,
  date_versement date,
  payee boolean not null generated always as (date_versement is not null) stored,
  date_restitution date,
  montant_restitue core.montant,
  retenue core.montant,
  motif_retenue core.texte,
  statut residence.statut_caution not null generated always as (
    case when date_restitution is null then 'EN_COURS'::residence.statut_caution
         when montant_restitue > 0 then 'RESTITUEE'::residence.statut_caution
         else 'RETENUE'::residence.statut_caution end) stored,
  constraint caution_restitution_entiere check (
    (date_restitution is null) = (montant_restitue is null) and (date_restitution is null) = (retenue is null)),
  constraint caution_restituee_apres_versement check (date_restitution is null or date_versement is not null),
  constraint caution_equilibree check (montant_restitue + retenue = montant)
);
comment on table residence.caution is 'Caution d''un contrat.';
comment on column residence.caution.montant is 'Montant de la caution ; une fois versée, ce qui l''a été.';
comment on column residence.caution.payee is 'Versée, par un encaissement ou sur déclaration.';
comment on column residence.caution.statut is 'EN_COURS, puis RESTITUEE si quelque chose a été rendu, RETENUE si tout a été retenu.';
comment on constraint caution_deja_declaree on residence.caution is 'Ce contrat a déjà une caution.';
comment on constraint caution_contrat_inconnu on residence.caution is 'Ce contrat n''existe pas.';
comment on constraint caution_restitution_entiere on residence.caution is 'Une restitution a sa date, son montant et sa retenue.';
comment on constraint caution_restituee_apres_versement on residence.caution is 'Une caution se restitue après son versement.';
comment on constraint caution_equilibree on residence.caution is 'Le montant restitué et la retenue font le montant de la caution.';

create table residence.caution_evenement (
  id_evenement bigint generated always as identity constraint caution_evenement_pkey primary key,
  id_caution bigint not null constraint evenement_caution_inconnue references residence.caution,
  evenement residence.evenement_caution not null,
  date timestamptz not null default now(),
  montant core.montant,
  motif core.texte,
  id_paiement bigint constraint evenement_paiement_inconnu references finances.paiement,
  id_utilisateur bigint constraint evenement_utilisateur_inconnu references auth.utilisateur
);
create index caution_evenement_id_caution on residence.caution_evenement (id_caution, id_evenement);
create index caution_evenement_id_paiement on residence.caution_evenement (id_paiement);
create index caution_evenement_id_utilisateur on residence.caution_evenement (id_utilisateur);
comment on table residence.caution_evenement is 'Histoire d''une caution, une ligne par fait.';
comment on constraint evenement_caution_inconnue on residence.caution_evenement is 'Cette caution n''existe pas.';
comment on constraint evenement_paiement_inconnu on residence.caution_evenement is 'Ce paiement n''existe pas.';

create table residence.occupation (
  id_occupation bigint generated always as identity constraint occupation_pkey primary key,
  id_logement bigint not null constraint occupation_logement_inconnu references residence.logement,
  periode tstzrange not null constraint occupation_non_vide check (not isempty(periode)),
  id_contrat bigint constraint occupation_contrat_inconnu references residence.contrat_location
                    constraint occupation_contrat_unique unique,
  id_sejour bigint constraint occupation_sejour_unique unique,
  constraint occupation_un_titre check (num_nonnulls(id_contrat, id_sejour) = 1),
  constraint logement_deja_occupe exclude using gist (id_logement with =, periode with &&)
);
create index occupation_id_logement on residence.occupation (id_logement);
comment on table residence.occupation is 'Qui tient un logement, et quand : une ligne par contrat et par séjour qui le tient ou l''a tenu, écrite par leurs déclencheurs.';
comment on column residence.occupation.periode is 'Du premier instant au dernier, exclu ; sans fin pour un contrat sans terme.';
comment on constraint occupation_non_vide on residence.occupation is 'Une occupation a une durée.';
comment on constraint occupation_un_titre on residence.occupation is 'Une occupation vient d''un contrat ou d''un séjour.';
comment on constraint occupation_contrat_unique on residence.occupation is 'Ce contrat occupe déjà un logement.';
comment on constraint occupation_sejour_unique on residence.occupation is 'Ce séjour occupe déjà un logement.';
comment on constraint logement_deja_occupe on residence.occupation is 'Ce logement est déjà pris pendant cette période.';
comment on constraint occupation_logement_inconnu on residence.occupation is 'Ce logement n''existe pas.';
comment on constraint occupation_contrat_inconnu on residence.occupation is 'Ce contrat n''existe pas.';
