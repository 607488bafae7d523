-- Services and invoices. Sums, remainder and state are the database's own.
-- depends: 0003.auth-comptes

create schema facturation;
comment on schema facturation is 'Prestations et factures ; le règlement commun à toutes les activités.';

create type facturation.source_type as enum
  ('VENTE', 'COMMANDE_PRESSING', 'COMMANDE_RESTAURANT', 'SEJOUR', 'CHARGE', 'LOCATION', 'RESERVATION_FETE', 'PRESTATION', 'AUTRE');
comment on type facturation.source_type is 'Ce que la facture fait payer.';
create type facturation.statut_facture as enum ('IMPAYEE', 'PARTIELLE', 'PAYEE', 'ANNULEE');
comment on type facturation.statut_facture is 'État d''une facture, déduit de ses montants.';

create table facturation.prestation (
  id_prestation bigint generated always as identity constraint prestation_pkey primary key,
  libelle core.libelle not null,
  categorie core.libelle,
  prix core.montant not null,
  description core.texte,
  id_activite bigint constraint prestation_activite_inconnue references core.activite,
  actif boolean not null default true
);
create index prestation_id_activite on facturation.prestation (id_activite);
create index prestation_libelle on facturation.prestation (libelle, id_prestation);
comment on table facturation.prestation is 'Service facturable et son prix.';
comment on constraint prestation_activite_inconnue on facturation.prestation is 'Cette activité n''existe pas.';

create table facturation.facture (
  id_facture bigint generated always as identity constraint facture_pkey primary key,
  numero text not null constraint numero_facture_existant unique,
  date timestamptz not null default now(),
  jour date not null,
  id_client bigint constraint facture_client_inconnu references client.client,
  id_activite bigint constraint facture_activite_inconnue references core.activite,
  id_utilisateur bigint constraint facture_utilisateur_inconnu references auth.utilisateur,
  libelle core.libelle,
  remise core.montant not null default 0,
  montant_total core.montant not null default 0,
  montant_paye core.montant not null default 0,
  reste numeric(14,2) not null generated always as (montant_total - montant_paye) stored,
  statut facturation.statut_facture not null generated always as (
    case when annulee then 'ANNULEE'::facturation.statut_facture
         when montant_paye >= montant_total then 'PAYEE'::facturation.statut_facture
         when montant_paye > 0 then 'PARTIELLE'::facturation.statut_facture
         else 'IMPAYEE'::facturation.statut_facture end) stored,
  annulee boolean not null default false,
  source_type facturation.source_type not null,
  source_id bigint,
  constraint surpaiement check (montant_paye <= montant_total),
  constraint facture_annulee_remboursee check (not annulee or montant_paye = 0)
) with (fillfactor = 85);
create unique index facture_unique_par_source on facturation.facture (source_type, source_id)
  where source_type not in ('PRESTATION', 'AUTRE') and not annulee;
create index facture_date on facturation.facture (date desc, id_facture desc);
create index facture_jour on facturation.facture (jour);
create index facture_id_client on facturation.facture (id_client);
create index facture_id_activite on facturation.facture (id_activite, date desc, id_facture desc);
create index facture_id_utilisateur on facturation.facture (id_utilisateur);
create index facture_source on facturation.facture (source_type, source_id);
create index facture_a_payer on facturation.facture (date desc, id_facture desc) where statut in ('IMPAYEE', 'PARTIELLE');
comment on table facturation.facture is 'Facture ; montant_total vient des lignes moins la remise, montant_paye des applications de paiement.';
comment on column facturation.facture.numero is 'Numéro <ORG>-FAC-<AAAA>-<NNN>, sans trou, donné à l''émission.';
comment on column facturation.facture.jour is 'Date de gestion de la facture.';
comment on column facturation.facture.montant_total is 'Somme des lignes moins la remise, tenue par un déclencheur.';
comment on column facturation.facture.montant_paye is 'Somme des applications de paiement, tenue par un déclencheur.';
comment on column facturation.facture.reste is 'Reste à payer : montant_total − montant_paye.';
comment on column facturation.facture.statut is 'Déduit des montants ; ANNULEE par l''annulation de sa source.';
comment on column facturation.facture.source_id is 'Identifiant de la vente, de la commande, du séjour… payé par cette facture.';
comment on constraint surpaiement on facturation.facture is 'Le paiement dépasse le reste à payer.';
comment on constraint numero_facture_existant on facturation.facture is 'Une facture porte déjà ce numéro.';
comment on constraint facture_annulee_remboursee on facturation.facture is 'Une facture annulée ne garde aucun paiement : remboursez-la d''abord.';
comment on constraint facture_client_inconnu on facturation.facture is 'Ce client n''existe pas.';
comment on constraint facture_activite_inconnue on facturation.facture is 'Cette activité n''existe pas.';
comment on index facturation.facture_unique_par_source is 'Cette opération a déjà sa facture.';

create table facturation.facture_ligne (
  id_ligne bigint generated always as identity constraint facture_ligne_pkey primary key,
  id_facture bigint not null constraint ligne_facture_inconnue references facturation.facture deferrable initially deferred,
  libelle core.libelle not null,
  quantite core.nombre not null default 1,
  prix_unitaire core.montant not null,
  total numeric(14,2) not null generated always as (round(quantite * prix_unitaire, 2)) stored
);
create index facture_ligne_id_facture on facturation.facture_ligne (id_facture);
comment on table facturation.facture_ligne is 'Ligne d''une facture, écrite juste avant elle : sa clé étrangère se vérifie à la fin de la transaction.';
comment on column facturation.facture_ligne.total is 'quantite × prix_unitaire, arrondi à deux décimales.';
comment on constraint ligne_facture_inconnue on facturation.facture_ligne is 'Cette facture n''existe pas.';
