-- Rebilled charges, short stays, subscriptions, move-in and move-out photos.
-- depends: 0010.residence-logements

create domain residence.releve as numeric(14,2)
  constraint releve_positif check (value >= 0);
comment on domain residence.releve is 'Relevé d''un compteur, deux décimales, zéro ou plus.';
comment on constraint releve_positif on domain residence.releve is 'Un relevé de compteur ne peut pas être négatif.';

create type residence.statut_charge as enum ('IMPAYEE', 'PARTIELLE', 'PAYEE');
comment on type residence.statut_charge is 'État d''une charge, celui de sa facture.';
create type residence.type_prestation_sejour as enum ('NUITEE', 'SIESTE');
comment on type residence.type_prestation_sejour is 'NUITEE : une nuit ou plus. SIESTE : arrivée et départ le même jour.';
create type residence.statut_sejour as enum ('EN_COURS', 'TERMINE', 'ANNULE');
comment on type residence.statut_sejour is 'État d''un séjour. TERMINE : soldé, ou clos au départ du client.';
create type residence.type_abonnement as enum ('MENSUEL', 'ANNUEL', 'PERIODIQUE');
comment on type residence.type_abonnement is 'Rythme d''un abonnement.';
create type residence.statut_abonnement as enum ('ACTIF', 'SUSPENDU', 'RESILIE', 'EXPIRE');
comment on type residence.statut_abonnement is 'État d''un abonnement.';
create type residence.type_etat_des_lieux as enum ('ENTREE', 'SORTIE');
comment on type residence.type_etat_des_lieux is 'Moment d''un état des lieux.';

create table residence.categorie_charge (
  id_categorie_charge bigint generated always as identity constraint categorie_charge_pkey primary key,
  libelle core.libelle not null constraint categorie_charge_existante unique,
  actif boolean not null default true
);
comment on table residence.categorie_charge is 'Catégorie de charge refacturée (eau, électricité…) ; elle se désactive, elle ne se supprime pas.';
comment on constraint categorie_charge_existante on residence.categorie_charge is 'Cette catégorie de charge existe déjà.';

create table residence.charge_facturee (
  id_charge bigint generated always as identity constraint charge_facturee_pkey primary key,
  id_logement bigint not null constraint charge_logement_inconnu references residence.logement,
  id_categorie_charge bigint not null constraint charge_categorie_inconnue references residence.categorie_charge,
  id_client bigint constraint charge_client_inconnu references client.client,
  periode core.periode not null,
  compteur_numero core.libelle,
  lecture_debut residence.releve,
  lecture_fin residence.releve,
  consommation residence.releve,
  montant core.montant not null constraint charge_sans_montant check (montant > 0),
  id_utilisateur bigint constraint charge_utilisateur_inconnu references auth.utilisateur,
  date_creation timestamptz not null default now(),
  constraint releves_ordonnes check (lecture_fin >= lecture_debut)
);
create index charge_facturee_periode on residence.charge_facturee (periode desc, id_charge desc);
create index charge_facturee_id_logement on residence.charge_facturee (id_logement, periode desc, id_charge desc);
create index charge_facturee_id_categorie_charge on residence.charge_facturee (id_categorie_charge, periode desc, id_charge desc);
create index charge_facturee_id_client on residence.charge_facturee (id_client);
create index charge_facturee_id_utilisateur on residence.charge_facturee (id_utilisateur);
comment on table residence.charge_facturee is 'Charge d''un logement occupé, refacturée à qui l''occupe ; ce qui en est payé est dit par sa facture.';
comment on column residence.charge_facturee.id_client is 'Client qui occupait le logement : celui du bail actif, sinon celui du séjour en cours.';
comment on column residence.charge_facturee.consommation is 'lecture_fin − lecture_debut, tenue par un déclencheur ; celle déclarée quand un relevé manque.';
comment on constraint charge_logement_inconnu on residence.charge_facturee is 'Ce logement n''existe pas.';
comment on constraint charge_categorie_inconnue on residence.charge_facturee is 'Cette catégorie de charge n''existe pas.';
comment on constraint charge_client_inconnu on residence.charge_facturee is 'Ce client n''existe pas.';
comment on constraint charge_sans_montant on residence.charge_facturee is 'Le montant d''une charge est plus grand que zéro.';
comment on constraint releves_ordonnes on residence.charge_facturee is 'Le relevé de fin ne peut pas être inférieur à celui de début.';

create table residence.sejour_court (
  id_sejour bigint generated always as identity constraint sejour_court_pkey primary key,
  type_prestation residence.type_prestation_sejour not null,
  id_client bigint constraint sejour_client_inconnu references client.client,
  id_logement bigint not null constraint sejour_logement_inconnu references residence.logement,
  date_heure_arrivee timestamptz not null,
  date_heure_depart_prevue timestamptz not null,
  date_heure_depart_reelle timestamptz,
  duree core.libelle,
  tarif core.montant not null,
  montant_total core.montant not null,
  id_moyen_paiement bigint constraint sejour_moyen_inconnu references finances.moyen_paiement,
  statut residence.statut_sejour not null default 'EN_COURS',
  id_utilisateur bigint constraint sejour_utilisateur_inconnu references auth.utilisateur,
  date_creation timestamptz not null default now(),
  constraint depart_prevu_ordonne check (date_heure_depart_prevue > date_heure_arrivee),
  constraint depart_reel_ordonne check (date_heure_depart_reelle >= date_heure_arrivee)
) with (fillfactor = 85);
create index sejour_court_date_heure_arrivee on residence.sejour_court (date_heure_arrivee desc, id_sejour desc);
create index sejour_court_id_logement on residence.sejour_court (id_logement, date_heure_arrivee desc);
create index sejour_court_id_client on residence.sejour_court (id_client, date_heure_arrivee desc);
create index sejour_court_id_moyen_paiement on residence.sejour_court (id_moyen_paiement);
create index sejour_court_id_utilisateur on residence.sejour_court (id_utilisateur);
comment on table residence.sejour_court is 'Court séjour. Soldé, il est TERMINE même si le client est encore là : le logement reste tenu jusqu''au départ prévu, ou jusqu''au départ réel s''il vient plus tôt.';
comment on column residence.sejour_court.date_heure_depart_prevue is 'Sans précision : le lendemain à 12 h pour une nuitée, la fin du jour pour une sieste.';
comment on column residence.sejour_court.date_heure_depart_reelle is 'Le client est parti : le logement est libéré.';
comment on column residence.sejour_court.duree is 'Durée en toutes lettres, pour l''affichage.';
comment on column residence.sejour_court.tarif is 'Prix d''une nuit, ou de la sieste.';
comment on column residence.sejour_court.montant_total is 'tarif × nuits prévues pour une nuitée, tarif pour une sieste ; tenu par un déclencheur.';
comment on column residence.sejour_court.id_moyen_paiement is 'Moyen du dernier paiement, ou celui annoncé.';
comment on constraint sejour_logement_inconnu on residence.sejour_court is 'Ce logement n''existe pas.';
comment on constraint sejour_client_inconnu on residence.sejour_court is 'Ce client n''existe pas.';
comment on constraint sejour_moyen_inconnu on residence.sejour_court is 'Ce moyen de paiement n''existe pas.';
comment on constraint depart_prevu_ordonne on residence.sejour_court is 'Le départ prévu suit l''arrivée.';
comment on constraint depart_reel_ordonne on residence.sejour_court is 'Le départ ne peut pas précéder l''arrivée.';

alter table residence.occupation
  add constraint occupation_sejour_inconnu foreign key (id_sejour) references residence.sejour_court;
comment on constraint occupation_sejour_inconnu on residence.occupation is 'Ce séjour n''existe pas.';

create table residence.abonnement (
  id_abonnement bigint generated always as identity constraint abonnement_pkey primary key,
  id_client bigint not null constraint abonnement_client_inconnu references client.client,
  id_logement bigint constraint abonnement_logement_inconnu references residence.logement,
  id_categorie_abonnement bigint
    constraint abonnement_categorie_inconnue references abonnement.categorie_abonnement,
  service core.libelle not null,
  type residence.type_abonnement not null,
  montant core.montant not null,
  date_debut date not null,
  date_fin date,
  statut residence.statut_abonnement not null default 'ACTIF',
  id_facture bigint not null constraint abonnement_facture_inconnue references facturation.facture,
  date_creation timestamptz not null default now(),
  constraint abonnement_dates_ordonnees check (date_fin >= date_debut)
);
create index abonnement_date_debut on residence.abonnement (date_debut desc, id_abonnement desc);
create index abonnement_id_client on residence.abonnement (id_client);
create index abonnement_id_logement on residence.abonnement (id_logement);
create index abonnement_id_categorie_abonnement on residence.abonnement (id_categorie_abonnement);
create index abonnement_id_facture on residence.abonnement (id_facture);
comment on table residence.abonnement is 'Abonnement d''un client à un service ; ce qui en est payé est dit par sa facture.';
comment on column residence.abonnement.id_facture is 'Facture de l''abonnement, émise avec lui ; une autre la remplace quand le montant ou le client change avant tout paiement.';
comment on constraint abonnement_client_inconnu on residence.abonnement is 'Ce client n''existe pas.';
comment on constraint abonnement_logement_inconnu on residence.abonnement is 'Ce logement n''existe pas.';
comment on constraint abonnement_categorie_inconnue on residence.abonnement is 'Cette catégorie d''abonnement n''existe pas.';
comment on constraint abonnement_facture_inconnue on residence.abonnement is 'Cette facture n''existe pas.';
comment on constraint abonnement_dates_ordonnees on residence.abonnement is 'Un abonnement ne finit pas avant d''avoir commencé.';

create table residence.etat_des_lieux (
  id_photo bigint generated always as identity constraint etat_des_lieux_pkey primary key,
  id_contrat bigint not null constraint etat_des_lieux_contrat_inconnu references residence.contrat_location,
  type residence.type_etat_des_lieux not null,
  piece core.libelle constraint piece_trop_longue check (char_length(piece) <= 100),
  cle_objet core.cle_objet not null constraint photo_d_une_autre_categorie check (cle_objet ~ '^etat-lieux/'),
  commentaire core.texte,
  id_utilisateur bigint constraint etat_des_lieux_utilisateur_inconnu references auth.utilisateur,
  date_ajout timestamptz not null default now()
);
create index etat_des_lieux_id_contrat on residence.etat_des_lieux (id_contrat, type, id_photo);
create index etat_des_lieux_id_utilisateur on residence.etat_des_lieux (id_utilisateur);
comment on table residence.etat_des_lieux is 'Photo d''un état des lieux, d''entrée ou de sortie.';
comment on column residence.etat_des_lieux.piece is 'Pièce ou endroit photographié.';
comment on column residence.etat_des_lieux.cle_objet is 'Clé du fichier déposé, catégorie etat-lieux.';
comment on constraint etat_des_lieux_contrat_inconnu on residence.etat_des_lieux is 'Ce contrat n''existe pas.';
comment on constraint piece_trop_longue on residence.etat_des_lieux is 'Le nom de la pièce compte 100 caractères au plus.';
comment on constraint photo_d_une_autre_categorie on residence.etat_des_lieux is 'La photo doit avoir été déposée dans la catégorie etat-lieux.';
