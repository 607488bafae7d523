-- Staff: services, employees, attendance, payslips. Clock times and totals are the database's own.
-- depends: 0008.jobs-file

create schema rh;
comment on schema rh is 'Personnel : services, employés, pointages, bulletins de paie.';

create type rh.fonction as enum (
  'RESPONSABLE', 'SERVEUR', 'CAISSIER', 'CUISINIER', 'RESPONSABLE_CUISINE', 'RECEPTIONNISTE', 'OPERATEUR_LAVAGE',
  'OPERATEUR_SECHAGE', 'OPERATEUR_REPASSAGE', 'CONTROLEUR_QUALITE', 'AGENT_LIVRAISON', 'AGENT_ENTRETIEN', 'TECHNICIEN',
  'VENDEUR', 'MAGASINIER', 'RESPONSABLE_APPROVISIONNEMENT', 'AUTRE');
comment on type rh.fonction is 'Fonction d''un employé.';
create type rh.type_contrat as enum ('CDI', 'CDD', 'APPRENTI', 'AUTRE');
comment on type rh.type_contrat is 'Contrat de travail.';
create type rh.statut_employe as enum ('ACTIF', 'INACTIF', 'SUSPENDU');
comment on type rh.statut_employe is 'Un employé n''est jamais effacé : il devient INACTIF.';
create type rh.statut_pointage as enum ('PRESENT', 'ABSENT', 'RETARD', 'CONGE');
comment on type rh.statut_pointage is 'Présence d''une journée.';
create type rh.statut_arrivee as enum ('PRESENT', 'RETARD');
comment on type rh.statut_arrivee is 'Présence de qui pointe son arrivée.';
create type rh.statut_paie as enum ('CALCULEE', 'VALIDEE', 'PAYEE', 'ANNULEE');
comment on type rh.statut_paie is 'État d''un bulletin de paie.';
create type rh.type_element as enum ('PRIME', 'AVANCE', 'RETENUE', 'HEURE_SUP', 'AUTRE');
comment on type rh.type_element is 'Élément de salaire ; AVANCE et RETENUE se déduisent.';

create domain rh.heures as numeric(5,2)
  constraint heures_positives check (value >= 0)
  constraint heures_d_un_jour check (value <= 24);
comment on domain rh.heures is 'Heures d''une journée, deux décimales, de 0 à 24.';
comment on constraint heures_positives on domain rh.heures is 'Un nombre d''heures ne peut pas être négatif.';
comment on constraint heures_d_un_jour on domain rh.heures is 'Une journée compte 24 heures au plus.';

create table rh.service (
  id_service bigint generated always as identity constraint service_pkey primary key,
  libelle core.libelle not null constraint service_existant unique
);
comment on table rh.service is 'Service de l''entreprise.';
comment on constraint service_existant on rh.service is 'Un service porte déjà ce libellé.';

create table rh.employe (
  id_employe bigint generated always as identity constraint employe_pkey primary key,
  code text not null constraint code_employe_existant unique,
  nom core.libelle not null,
  prenom core.libelle not null,
  telephone core.telephone,
  fonction rh.fonction not null,
  id_service bigint constraint employe_service_inconnu references rh.service,
  date_embauche date not null,
  type_contrat rh.type_contrat not null,
  salaire_base core.montant not null,
  statut rh.statut_employe not null default 'ACTIF',
  autres_infos core.texte,
  id_utilisateur bigint constraint employe_utilisateur_inconnu references auth.utilisateur
                        constraint compte_deja_lie unique
);
create index employe_nom on rh.employe (nom, prenom, id_employe);
create index employe_id_service on rh.employe (id_service);
comment on table rh.employe is 'Employé ; jamais effacé, il devient INACTIF.';
comment on column rh.employe.code is 'Code <ORG>-EMP-<NNN>, donné par la base.';
comment on column rh.employe.salaire_base is 'Salaire mensuel de base.';
comment on column rh.employe.id_utilisateur is 'Son compte, null s''il n''en a pas ; lié par l''administration des comptes.';
comment on constraint code_employe_existant on rh.employe is 'Un employé porte déjà ce code.';
comment on constraint employe_service_inconnu on rh.employe is 'Ce service n''existe pas.';
comment on constraint compte_deja_lie on rh.employe is 'Ce compte est celui d''un autre employé.';

-- What the clock said is kept apart from what counts: an absence has no hours, and one entered by mistake loses nothing.
create table rh.pointage (
  id_pointage bigint generated always as identity constraint pointage_pkey primary key,
  id_employe bigint not null constraint pointage_employe_inconnu references rh.employe,
  date date not null,
  horloge_arrivee timestamptz not null default now(),
  horloge_depart timestamptz,
  statut rh.statut_pointage not null default 'PRESENT',
  heures_sup rh.heures,
  note core.texte,
  heure_arrivee timestamptz generated always as (
    case when statut in ('PRESENT', 'RETARD') then horloge_arrivee end) stored,
  heure_depart timestamptz generated always as (
    case when statut in ('PRESENT', 'RETARD') then horloge_depart end) stored,
  duree_travaillee numeric(8,2) generated always as (
    case when statut in ('PRESENT', 'RETARD')
         then round(extract(epoch from horloge_depart - horloge_arrivee) / 3600, 2) end) stored,
  constraint pointage_existant unique (id_employe, date),
  constraint depart_apres_arrivee check (horloge_depart >= horloge_arrivee),
  constraint depart_trop_tardif check (horloge_depart - horloge_arrivee <= interval '24 hours'),
  constraint absence_sans_heures_sup check (heures_sup is null or heures_sup = 0 or statut in ('PRESENT', 'RETARD'))
);
create unique index pointage_deja_ouvert on rh.pointage (id_employe)
  where horloge_depart is null and statut in ('PRESENT', 'RETARD');
create index pointage_date on rh.pointage (date desc, id_pointage desc);
comment on table rh.pointage is 'Présence d''un employé, une ligne par jour ; le jour est celui de l''arrivée, même si le départ est le lendemain.';
comment on column rh.pointage.horloge_arrivee is 'Instant de l''arrivée, donné par l''horloge de la base.';
comment on column rh.pointage.horloge_depart is 'Instant du départ, null tant que la personne est là.';
comment on column rh.pointage.heure_arrivee is 'horloge_arrivee d''une présence, null pour une absence.';
comment on column rh.pointage.heure_depart is 'horloge_depart d''une présence, null pour une absence.';
comment on column rh.pointage.duree_travaillee is 'Heures de l''arrivée au départ, null pour une absence.';
comment on constraint pointage_existant on rh.pointage is 'Cet employé a déjà un pointage ce jour-là.';
comment on constraint pointage_employe_inconnu on rh.pointage is 'Cet employé n''existe pas.';
comment on constraint depart_apres_arrivee on rh.pointage is 'Le départ ne peut pas précéder l''arrivée.';
comment on constraint depart_trop_tardif on rh.pointage is 'Plus de 24 heures séparent l''arrivée du départ : corrigez l''heure de départ.';
comment on constraint absence_sans_heures_sup on rh.pointage is 'Une absence ne compte pas d''heures supplémentaires : retirez-les.';
comment on index rh.pointage_deja_ouvert is 'Cet employé a une arrivée sans départ : pointez d''abord ce départ.';

create table rh.paie (
  id_paie bigint generated always as identity constraint paie_pkey primary key,
  id_employe bigint not null constraint paie_employe_inconnu references rh.employe,
  periode core.periode not null,
  salaire_base core.montant not null,
  salaire_repris core.montant not null,
  total_elements core.montant not null default 0,
  total_retenues core.montant not null default 0,
  montant_a_payer numeric(14,2) not null generated always as (salaire_base + total_elements - total_retenues) stored,
  statut rh.statut_paie not null default 'CALCULEE',
  id_paiement bigint constraint paie_paiement_inconnu references finances.paiement
                     constraint paie_deja_payee unique,
  constraint paiement_de_paie_payee check (id_paiement is null or statut = 'PAYEE'),
  constraint paie_payee_sans_paiement check (statut <> 'PAYEE' or id_paiement is not null or montant_a_payer = 0)
);
create unique index paie_existante on rh.paie (id_employe, periode) where statut <> 'ANNULEE';
create index paie_id_employe on rh.paie (id_employe, periode);
create index paie_periode on rh.paie (periode desc, id_paie desc);
comment on table rh.paie is 'Bulletin de paie, un par employé et par mois, hors bulletins annulés.';
comment on column rh.paie.salaire_repris is 'Salaire de l''employé que le bulletin a vu en dernier ; s''il change, recalculer le reprend.';
comment on column rh.paie.total_elements is 'Somme des éléments qui s''ajoutent, tenue par un déclencheur.';
comment on column rh.paie.total_retenues is 'Somme des éléments qui se déduisent, positive, tenue par un déclencheur.';
comment on column rh.paie.montant_a_payer is 'Net : salaire_base + total_elements − total_retenues ; jamais négatif.';
comment on column rh.paie.id_paiement is 'Décaissement du net, null si rien n''était à payer.';
comment on constraint paie_employe_inconnu on rh.paie is 'Cet employé n''existe pas.';
comment on constraint paie_paiement_inconnu on rh.paie is 'Ce paiement n''existe pas.';
comment on constraint paie_deja_payee on rh.paie is 'Ce paiement est celui d''un autre bulletin.';
comment on constraint paiement_de_paie_payee on rh.paie is 'Seul un bulletin payé a un paiement.';
comment on constraint paie_payee_sans_paiement on rh.paie is 'Un bulletin payé a son paiement, sauf si son net est nul.';
comment on index rh.paie_existante is 'Cet employé a déjà un bulletin pour ce mois.';

create table rh.element_salaire (
  id_element bigint generated always as identity constraint element_salaire_pkey primary key,
  id_paie bigint not null constraint element_paie_inconnue references rh.paie,
  type rh.type_element not null,
  libelle core.libelle not null,
  montant core.montant_signe not null,
  constraint element_montant check (
    case when type in ('AVANCE', 'RETENUE') then montant < 0 when type = 'AUTRE' then montant <> 0 else montant > 0 end)
);
create index element_salaire_id_paie on rh.element_salaire (id_paie, id_element);
comment on table rh.element_salaire is 'Ce qui s''ajoute à un salaire ou s''en déduit.';
comment on column rh.element_salaire.montant is 'Signé : une avance et une retenue sont négatives.';
comment on constraint element_paie_inconnue on rh.element_salaire is 'Ce bulletin n''existe pas.';
comment on constraint element_montant on rh.element_salaire is 'Le montant d''un élément n''est pas nul ; une prime et des heures supplémentaires sont positives.';
