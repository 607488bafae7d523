-- Purchases: receptions of goods, bills of suppliers, their payments and credit notes, and the tax that they let deduct.
-- depends: 0093.market-cout-moyen
-- squawk-ignore-file changing-column-type, ban-drop-constraint, renaming-object, ban-drop-type, constraint-missing-not-valid -- of the few rows of compta.compte
-- squawk-ignore-file require-concurrent-index-creation -- the tables are new

create schema achat;
comment on schema achat is 'Achats : réceptions, factures des fournisseurs, leurs paiements et leurs avoirs.';

create type achat.statut_facture as enum ('BROUILLON', 'VALIDEE', 'PARTIELLE', 'PAYEE', 'ANNULEE');
comment on type achat.statut_facture is
  'BROUILLON : rien n''est encore entré ni dû. VALIDEE : due. PARTIELLE : payée en partie. PAYEE : rien n''en reste dû. ANNULEE : brouillon abandonné, ou facture créditée en entier.';
create type achat.deduction as enum ('AUCUNE', 'FACTURE', 'PAIEMENT');
comment on type achat.deduction is
  'Quand la taxe d''un achat se déduit : jamais, elle est alors dans le coût ; à la facture ; à mesure des paiements.';

create table achat.reception (
  id_reception bigint generated always as identity constraint reception_pkey primary key,
  id_fournisseur bigint not null constraint reception_fournisseur_inconnu references market.fournisseur,
  date date not null,
  document_ref core.libelle,
  id_utilisateur bigint constraint reception_utilisateur_inconnu references auth.utilisateur,
  id_reception_origine bigint constraint reception_deja_annulee unique
    constraint reception_origine_inconnue references achat.reception
);
create index reception_date on achat.reception (date, id_reception);
create index reception_id_fournisseur on achat.reception (id_fournisseur);
create index reception_id_utilisateur on achat.reception (id_utilisateur);
comment on table achat.reception is
  'Marchandises arrivées avant leur facture, à un coût attendu. Elle ne change ni ne s''efface : une réception contraire l''annule.';
comment on column achat.reception.date is 'Jour de l''arrivée.';
comment on column achat.reception.document_ref is 'Bon de livraison.';
comment on column achat.reception.id_utilisateur is 'Qui l''a saisie, null hors de l''API.';
comment on column achat.reception.id_reception_origine is 'Réception que celle-ci annule.';
comment on constraint reception_fournisseur_inconnu on achat.reception is 'Ce fournisseur n''existe pas.';
comment on constraint reception_utilisateur_inconnu on achat.reception is 'Cet utilisateur n''existe pas.';
comment on constraint reception_deja_annulee on achat.reception is 'Cette réception est déjà annulée.';
comment on constraint reception_origine_inconnue on achat.reception is 'La réception à annuler n''existe pas.';

create table achat.reception_ligne (
  id_ligne bigint generated always as identity constraint reception_ligne_pkey primary key,
  id_reception bigint not null constraint reception_ligne_reception_inconnue references achat.reception,
  id_produit bigint not null constraint reception_ligne_produit_inconnu references market.produit,
  quantite core.quantite not null,
  cout_unitaire core.montant not null,
  montant core.somme not null,
  id_mouvement bigint not null constraint reception_ligne_mouvement_inconnu references market.mouvement_stock,
  quantite_facturee market.stock not null default 0,
  montant_facture core.somme not null default 0,
  constraint produit_deja_recu unique (id_reception, id_produit),
  constraint reception_ligne_facturee check (quantite_facturee <= quantite)
);
create index reception_ligne_id_produit on achat.reception_ligne (id_produit);
create index reception_ligne_id_mouvement on achat.reception_ligne (id_mouvement);
comment on table achat.reception_ligne is 'Produits d''une réception.';
comment on column achat.reception_ligne.quantite is 'Quantité arrivée.';
comment on column achat.reception_ligne.cout_unitaire is 'Coût attendu d''une unité.';
comment on column achat.reception_ligne.montant is 'quantite × cout_unitaire, à l''unité de la devise.';
comment on column achat.reception_ligne.id_mouvement is 'Mouvement de stock de ces articles.';
comment on column achat.reception_ligne.quantite_facturee is 'Ce que des factures validées en ont pris.';
comment on column achat.reception_ligne.montant_facture is 'Coût attendu de cette quantité.';
comment on constraint reception_ligne_reception_inconnue on achat.reception_ligne is 'Cette réception n''existe pas.';
comment on constraint reception_ligne_produit_inconnu on achat.reception_ligne is 'Ce produit n''existe pas.';
comment on constraint reception_ligne_mouvement_inconnu on achat.reception_ligne is 'Ce mouvement n''existe pas.';
comment on constraint produit_deja_recu on achat.reception_ligne is 'Un produit n''est qu''une fois dans une réception.';
comment on constraint reception_ligne_facturee on achat.reception_ligne is 'Rien ne se facture deux fois d''une réception.';

create table achat.facture (
  id_achat bigint generated always as identity constraint achat_pkey primary key,
  numero core.libelle constraint achat_numero_existant unique,
  id_fournisseur bigint not null constraint achat_fournisseur_inconnu references market.fournisseur,
  numero_fournisseur core.libelle not null,
  date date not null,
  echeance date,
  jour date,
  statut achat.statut_facture not null default 'BROUILLON',
  frais core.montant not null default 0,
  remise core.montant not null default 0,
  montant_ht core.somme not null,
  montant_taxe core.somme not null,
  montant_total core.somme not null generated always as (montant_ht + montant_taxe) stored,
  montant_avoirs core.somme not null default 0,
  montant_paye core.somme not null default 0,
  reste core.somme not null generated always as (montant_ht + montant_taxe - montant_avoirs - montant_paye) stored,
  deduction achat.deduction not null,
  id_activite bigint constraint achat_activite_inconnue references core.activite,
  id_utilisateur bigint constraint achat_utilisateur_inconnu references auth.utilisateur,
  constraint achat_sans_montant check (montant_ht + montant_taxe > 0),
  constraint achat_echeance_apres_date check (echeance >= date),
  constraint achat_valide_numerote check ((numero is null) = (jour is null)
                                          and (statut in ('BROUILLON', 'ANNULEE') or numero is not null))
);
create unique index numero_fournisseur_deja_saisi on achat.facture (id_fournisseur, lower(numero_fournisseur))
  where statut <> 'ANNULEE';
create index achat_date on achat.facture (date desc, id_achat desc);
create index achat_jour on achat.facture (jour, id_achat) where jour is not null;
create index achat_reste on achat.facture (id_fournisseur) where jour is not null and reste <> 0;
create index achat_id_fournisseur on achat.facture (id_fournisseur);
create index achat_id_activite on achat.facture (id_activite);
create index achat_id_utilisateur on achat.facture (id_utilisateur);
comment on table achat.facture is
  'Facture d''un fournisseur. Elle ne change plus une fois saisie : un brouillon s''abandonne, une facture validée se crédite.';
comment on column achat.facture.numero is 'Numéro sans trou, <ORG>-ACH-<AAAA>-<NNN>, de l''année de la validation ; null d''un brouillon.';
comment on column achat.facture.numero_fournisseur is 'Numéro que le fournisseur lui a donné.';
comment on column achat.facture.date is 'Date qu''elle porte.';
comment on column achat.facture.echeance is 'Jour où elle est à payer, null : à sa date.';
comment on column achat.facture.jour is
  'Date de gestion : la sienne, ou le jour de la validation si ce mois-là est clôturé ; null d''un brouillon.';
comment on column achat.facture.statut is 'État.';
comment on column achat.facture.frais is 'Frais d''approche hors taxe, partagés entre les marchandises selon leur valeur.';
comment on column achat.facture.remise is 'Remise hors taxe, partagée entre les lignes selon leur valeur.';
comment on column achat.facture.montant_ht is 'Lignes, moins la remise, plus les frais.';
comment on column achat.facture.montant_taxe is 'Taxes des lignes.';
comment on column achat.facture.montant_total is 'montant_ht + montant_taxe.';
comment on column achat.facture.montant_avoirs is 'Ce que ses avoirs créditent.';
comment on column achat.facture.montant_paye is 'Ce que ses paiements règlent.';
comment on column achat.facture.reste is
  'Ce qui en est dû ; négatif, ce que le fournisseur doit : un paiement le déduit d''une autre facture.';
comment on column achat.facture.deduction is 'Quand sa taxe se déduit, selon le régime à sa date.';
comment on column achat.facture.id_activite is 'Activité : la boutique s''il y a des marchandises.';
comment on column achat.facture.id_utilisateur is 'Qui l''a saisie, null hors de l''API.';
comment on index achat.numero_fournisseur_deja_saisi is 'Une facture de ce fournisseur porte déjà ce numéro.';
comment on constraint achat_numero_existant on achat.facture is 'Ce numéro d''achat est déjà pris.';
comment on constraint achat_fournisseur_inconnu on achat.facture is 'Ce fournisseur n''existe pas.';
comment on constraint achat_activite_inconnue on achat.facture is 'Cette activité n''existe pas.';
comment on constraint achat_utilisateur_inconnu on achat.facture is 'Cet utilisateur n''existe pas.';
comment on constraint achat_sans_montant on achat.facture is 'Une facture d''achat a un montant.';
comment on constraint achat_echeance_apres_date on achat.facture is 'L''échéance n''est pas avant la date de la facture.';
comment on constraint achat_valide_numerote on achat.facture is 'Une facture d''achat validée a un numéro et un jour.';

create table achat.facture_ligne (
  id_ligne bigint generated always as identity constraint achat_ligne_pkey primary key,
  id_achat bigint not null constraint achat_ligne_achat_inconnu references achat.facture,
  id_produit bigint constraint achat_ligne_produit_inconnu references market.produit,
  quantite core.quantite,
  prix_unitaire core.montant,
  id_categorie_depense bigint constraint achat_ligne_categorie_inconnue references finances.categorie_depense,
  libelle core.libelle,
  montant core.montant not null,
  remise core.somme not null default 0,
  frais core.somme not null default 0,
  net core.somme not null generated always as (montant - remise + frais) stored,
  code_taxe text constraint achat_ligne_code_taxe_inconnu references core.code_taxe,
  id_taxe bigint constraint achat_ligne_taxe_inconnue references core.taxe,
  montant_taxe core.somme not null default 0,
  id_reception bigint constraint achat_ligne_reception_inconnue references achat.reception,
  montant_attendu core.somme,
  id_mouvement bigint constraint achat_ligne_mouvement_inconnu references market.mouvement_stock,
  constraint achat_ligne_d_un_genre check (
    num_nonnulls(id_produit, quantite, prix_unitaire) = 3 and num_nonnulls(id_categorie_depense, libelle) = 0
    or num_nonnulls(id_categorie_depense, libelle) = 2
       and num_nonnulls(id_produit, quantite, prix_unitaire, id_reception) = 0)
);
create index achat_ligne_id_achat on achat.facture_ligne (id_achat);
create index achat_ligne_id_produit on achat.facture_ligne (id_produit) where id_produit is not null;
create index achat_ligne_id_categorie_depense on achat.facture_ligne (id_categorie_depense)
  where id_categorie_depense is not null;
create index achat_ligne_code_taxe on achat.facture_ligne (code_taxe) where code_taxe is not null;
create index achat_ligne_id_taxe on achat.facture_ligne (id_taxe) where id_taxe is not null;
create index achat_ligne_id_reception on achat.facture_ligne (id_reception) where id_reception is not null;
create index achat_ligne_id_mouvement on achat.facture_ligne (id_mouvement) where id_mouvement is not null;
comment on table achat.facture_ligne is 'Ligne d''une facture d''achat : des marchandises, ou une dépense.';
comment on column achat.facture_ligne.quantite is 'Quantité, null d''une dépense.';
comment on column achat.facture_ligne.prix_unitaire is 'Prix hors taxe, null d''une dépense.';
comment on column achat.facture_ligne.id_categorie_depense is 'Catégorie d''une dépense, null de marchandises.';
comment on column achat.facture_ligne.libelle is 'Ce qui est acheté, null de marchandises.';
comment on column achat.facture_ligne.montant is 'Hors taxe : quantite × prix_unitaire de marchandises, à l''unité de la devise.';
comment on column achat.facture_ligne.remise is 'Part de la remise de la facture.';
comment on column achat.facture_ligne.frais is 'Part des frais d''approche de la facture.';
comment on column achat.facture_ligne.net is 'montant − remise + frais.';
comment on column achat.facture_ligne.code_taxe is 'Code de taxe saisi, null sans taxe.';
comment on column achat.facture_ligne.id_taxe is 'Taux de ce code à la date de la facture, null s''il n''en a pas.';
comment on column achat.facture_ligne.montant_taxe is 'Taxe de net.';
comment on column achat.facture_ligne.id_reception is 'Réception par laquelle ces marchandises étaient arrivées, null : elles viennent avec la facture.';
comment on column achat.facture_ligne.montant_attendu is 'Coût attendu de ces marchandises à leur réception, posé à la validation.';
comment on column achat.facture_ligne.id_mouvement is 'Entrée en stock de ces marchandises, posée à la validation.';
comment on constraint achat_ligne_achat_inconnu on achat.facture_ligne is 'Cette facture d''achat n''existe pas.';
comment on constraint achat_ligne_produit_inconnu on achat.facture_ligne is 'Ce produit n''existe pas.';
comment on constraint achat_ligne_categorie_inconnue on achat.facture_ligne is 'Cette catégorie de dépense n''existe pas.';
comment on constraint achat_ligne_code_taxe_inconnu on achat.facture_ligne is 'Ce code de taxe n''existe pas.';
comment on constraint achat_ligne_taxe_inconnue on achat.facture_ligne is 'Cette taxe n''existe pas.';
comment on constraint achat_ligne_reception_inconnue on achat.facture_ligne is 'Cette réception n''existe pas.';
comment on constraint achat_ligne_mouvement_inconnu on achat.facture_ligne is 'Ce mouvement n''existe pas.';
comment on constraint achat_ligne_d_un_genre on achat.facture_ligne is
  'Une ligne a un produit, sa quantité et son prix, ou une catégorie de dépense, un libellé et un montant.';

create table achat.avoir (
  id_avoir bigint generated always as identity constraint avoir_d_achat_pkey primary key,
  numero core.libelle not null constraint avoir_d_achat_numero_existant unique,
  id_achat bigint not null constraint avoir_d_achat_achat_inconnu references achat.facture,
  numero_fournisseur core.libelle,
  date date not null,
  jour date not null,
  motif core.texte,
  montant_ht core.somme not null,
  montant_taxe core.somme not null,
  montant_total core.somme not null generated always as (montant_ht + montant_taxe) stored,
  id_utilisateur bigint constraint avoir_d_achat_utilisateur_inconnu references auth.utilisateur
);
create index avoir_d_achat_jour on achat.avoir (jour, id_avoir);
create index avoir_d_achat_id_achat on achat.avoir (id_achat);
create index avoir_d_achat_id_utilisateur on achat.avoir (id_utilisateur);
comment on table achat.avoir is 'Avoir d''un fournisseur sur une de ses factures. Il ne change ni ne s''efface.';
comment on column achat.avoir.numero is 'Numéro sans trou, <ORG>-AVA-<AAAA>-<NNN>, de l''année de la saisie.';
comment on column achat.avoir.numero_fournisseur is 'Numéro que le fournisseur lui a donné.';
comment on column achat.avoir.date is 'Date qu''il porte.';
comment on column achat.avoir.jour is 'Date de gestion : la sienne, ou le jour de la saisie si ce mois-là est clôturé.';
comment on column achat.avoir.motif is 'Raison.';
comment on column achat.avoir.montant_ht is 'Hors taxe.';
comment on column achat.avoir.montant_taxe is 'Taxe que la facture portait sur ce qui est crédité.';
comment on column achat.avoir.montant_total is 'montant_ht + montant_taxe.';
comment on column achat.avoir.id_utilisateur is 'Qui l''a saisi, null hors de l''API.';
comment on constraint avoir_d_achat_numero_existant on achat.avoir is 'Ce numéro d''avoir est déjà pris.';
comment on constraint avoir_d_achat_achat_inconnu on achat.avoir is 'Cette facture d''achat n''existe pas.';
comment on constraint avoir_d_achat_utilisateur_inconnu on achat.avoir is 'Cet utilisateur n''existe pas.';

create table achat.avoir_ligne (
  id_ligne_avoir bigint generated always as identity constraint avoir_d_achat_ligne_pkey primary key,
  id_avoir bigint not null constraint avoir_d_achat_ligne_avoir_inconnu references achat.avoir,
  id_ligne bigint not null constraint avoir_d_achat_ligne_ligne_inconnue references achat.facture_ligne,
  quantite core.quantite,
  montant core.somme not null,
  montant_taxe core.somme not null,
  id_mouvement bigint constraint avoir_d_achat_ligne_mouvement_inconnu references market.mouvement_stock,
  constraint ligne_d_avoir_repetee unique (id_avoir, id_ligne)
);
create index avoir_d_achat_ligne_id_ligne on achat.avoir_ligne (id_ligne);
create index avoir_d_achat_ligne_id_mouvement on achat.avoir_ligne (id_mouvement) where id_mouvement is not null;
comment on table achat.avoir_ligne is 'Ce qu''un avoir crédite d''une ligne de la facture.';
comment on column achat.avoir_ligne.quantite is 'Quantité rendue, null d''une dépense.';
comment on column achat.avoir_ligne.montant is 'Hors taxe.';
comment on column achat.avoir_ligne.montant_taxe is 'Taxe.';
comment on column achat.avoir_ligne.id_mouvement is 'Sortie du stock des articles rendus, null d''une dépense.';
comment on constraint avoir_d_achat_ligne_avoir_inconnu on achat.avoir_ligne is 'Cet avoir n''existe pas.';
comment on constraint avoir_d_achat_ligne_ligne_inconnue on achat.avoir_ligne is 'Cette ligne n''existe pas.';
comment on constraint avoir_d_achat_ligne_mouvement_inconnu on achat.avoir_ligne is 'Ce mouvement n''existe pas.';
comment on constraint ligne_d_avoir_repetee on achat.avoir_ligne is 'Une ligne n''est qu''une fois dans un avoir.';

create table achat.paiement (
  id_paiement bigint generated always as identity constraint paiement_d_achat_pkey primary key,
  id_fournisseur bigint not null constraint paiement_d_achat_fournisseur_inconnu references market.fournisseur,
  jour date not null,
  montant core.somme not null,
  id_moyen bigint not null constraint paiement_d_achat_moyen_inconnu references finances.moyen_paiement,
  id_depense bigint constraint paiement_d_achat_depense_prise unique
    constraint paiement_d_achat_depense_inconnue references finances.depense,
  reference core.libelle,
  date_annulation timestamptz,
  id_utilisateur bigint constraint paiement_d_achat_utilisateur_inconnu references auth.utilisateur,
  constraint paiement_d_achat_negatif check (montant >= 0),
  constraint paiement_d_achat_sans_depense check ((montant > 0) = (id_depense is not null))
);
create index paiement_d_achat_jour on achat.paiement (jour, id_paiement);
create index paiement_d_achat_id_fournisseur on achat.paiement (id_fournisseur);
create index paiement_d_achat_id_moyen on achat.paiement (id_moyen);
create index paiement_d_achat_id_utilisateur on achat.paiement (id_utilisateur);
comment on table achat.paiement is
  'Paiement d''une ou de plusieurs factures d''un fournisseur. Son argent sort par une dépense, aux règles des caisses ; supprimer cette dépense l''annule.';
comment on column achat.paiement.jour is 'Date de gestion.';
comment on column achat.paiement.montant is 'Somme de ce qu''il règle ; 0 quand un avoir paie tout.';
comment on column achat.paiement.id_moyen is 'Moyen de paiement.';
comment on column achat.paiement.id_depense is 'Dépense qui a sorti l''argent, null quand un avoir paie tout.';
comment on column achat.paiement.reference is 'Numéro du chèque ou de la transaction.';
comment on column achat.paiement.date_annulation is 'Moment de la suppression de sa dépense, null d''un paiement qui tient.';
comment on column achat.paiement.id_utilisateur is 'Qui l''a saisi, null hors de l''API.';
comment on constraint paiement_d_achat_fournisseur_inconnu on achat.paiement is 'Ce fournisseur n''existe pas.';
comment on constraint paiement_d_achat_moyen_inconnu on achat.paiement is 'Ce moyen de paiement n''existe pas.';
comment on constraint paiement_d_achat_depense_prise on achat.paiement is 'Cette dépense est déjà celle d''un paiement.';
comment on constraint paiement_d_achat_depense_inconnue on achat.paiement is 'Cette dépense n''existe pas.';
comment on constraint paiement_d_achat_utilisateur_inconnu on achat.paiement is 'Cet utilisateur n''existe pas.';
comment on constraint paiement_d_achat_negatif on achat.paiement is
  'Ces avoirs dépassent les factures : le fournisseur doit la différence, qui se déduit d''une facture à venir.';
comment on constraint paiement_d_achat_sans_depense on achat.paiement is 'L''argent d''un paiement sort par une dépense.';

create table achat.application (
  id_application bigint generated always as identity constraint application_d_achat_pkey primary key,
  id_paiement bigint not null constraint application_d_achat_paiement_inconnu references achat.paiement,
  id_achat bigint not null constraint application_d_achat_achat_inconnu references achat.facture,
  montant core.montant_signe not null,
  constraint facture_payee_deux_fois unique (id_paiement, id_achat),
  constraint application_d_achat_nulle check (montant <> 0)
);
create index application_d_achat_id_achat on achat.application (id_achat);
comment on table achat.application is 'Ce qu''un paiement règle d''une facture d''achat.';
comment on column achat.application.montant is 'Plus petit que zéro : ce qu''il prend de ce que le fournisseur doit sur cette facture.';
comment on constraint application_d_achat_paiement_inconnu on achat.application is 'Ce paiement n''existe pas.';
comment on constraint application_d_achat_achat_inconnu on achat.application is 'Cette facture d''achat n''existe pas.';
comment on constraint facture_payee_deux_fois on achat.application is 'Une facture n''est qu''une fois dans un paiement.';
comment on constraint application_d_achat_nulle on achat.application is 'Le montant n''est pas zéro.';

create table achat.taxe_deduite (
  id_deduction bigint generated always as identity constraint taxe_deduite_pkey primary key,
  id_achat bigint not null constraint taxe_deduite_achat_inconnu references achat.facture,
  id_paiement bigint constraint taxe_deduite_paiement_inconnu references achat.paiement,
  id_avoir bigint constraint taxe_deduite_avoir_inconnu references achat.avoir,
  id_taxe bigint not null constraint taxe_deduite_taxe_inconnue references core.taxe,
  montant core.somme not null,
  constraint taxe_deduite_d_un_document check (num_nonnulls(id_paiement, id_avoir) <= 1)
);
create index taxe_deduite_id_achat on achat.taxe_deduite (id_achat);
create index taxe_deduite_id_paiement on achat.taxe_deduite (id_paiement) where id_paiement is not null;
create index taxe_deduite_id_avoir on achat.taxe_deduite (id_avoir) where id_avoir is not null;
create index taxe_deduite_id_taxe on achat.taxe_deduite (id_taxe);
comment on table achat.taxe_deduite is
  'Taxe qui devient déductible par une facture d''achat, un de ses paiements ou un de ses avoirs, du jour de ce document.';
comment on column achat.taxe_deduite.id_paiement is 'Paiement qui la rend déductible, null d''un autre document.';
comment on column achat.taxe_deduite.id_avoir is 'Avoir qui la reprend, null d''un autre document.';
comment on column achat.taxe_deduite.montant is 'Plus petit que zéro quand elle ne l''est plus.';
comment on constraint taxe_deduite_achat_inconnu on achat.taxe_deduite is 'Cette facture d''achat n''existe pas.';
comment on constraint taxe_deduite_paiement_inconnu on achat.taxe_deduite is 'Ce paiement n''existe pas.';
comment on constraint taxe_deduite_avoir_inconnu on achat.taxe_deduite is 'Cet avoir n''existe pas.';
comment on constraint taxe_deduite_taxe_inconnue on achat.taxe_deduite is 'Cette taxe n''existe pas.';
comment on constraint taxe_deduite_d_un_document on achat.taxe_deduite is 'Une déduction vient d''une facture, d''un paiement ou d''un avoir.';

-- A new label of an enum could not be used in this transaction, so the type of the few rows of compta.compte is made
-- again. The labels of the large table compta.ecriture are only added, and the code reads them as texts.
alter table compta.compte drop constraint compte_du_cas;
alter type compta.cas rename to cas_d_avant;
create type compta.cas as enum (
  'CLIENTS', 'CREDIT_CLIENT', 'VENTES', 'TAXES', 'CAISSES', 'MOYENS', 'HORS_CAISSE', 'VIREMENTS', 'FRAIS',
  'FOURNISSEURS', 'RECEPTIONS', 'ACHATS', 'FRAIS_ACHAT', 'TAXES_DEDUCTIBLES', 'TAXES_EN_ATTENTE', 'STOCK',
  'VARIATION_STOCK', 'DEPENSES', 'DEPENSES_HORS_CAISSE', 'CAUTIONS', 'CAUTIONS_RETENUES', 'SALAIRES', 'PRIMES',
  'PERSONNEL', 'PERSONNEL_AVANCES', 'PERSONNEL_RETENUES', 'A_NOUVEAU', 'RESULTAT', 'RESULTAT_PERTE');
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
  ('FOURNISSEURS', '4011', 'Fournisseurs'),
  ('RECEPTIONS', '4081', 'Fournisseurs, factures non parvenues'),
  ('ACHATS', '6011', 'Achats de marchandises'),
  ('FRAIS_ACHAT', '6015', 'Frais sur achats de marchandises'),
  ('TAXES_DEDUCTIBLES', '4452', 'État, TVA récupérable sur achats'),
  ('TAXES_EN_ATTENTE', '4458', 'État, TVA récupérable en attente de paiement');

alter type compta.type_ecriture add value 'RECEPTION' after 'VIREMENT';
alter type compta.type_ecriture add value 'ACHAT' after 'RECEPTION';
alter type compta.type_ecriture add value 'AVOIR_ACHAT' after 'ACHAT';
alter type compta.type_ecriture add value 'PAIEMENT_ACHAT' after 'AVOIR_ACHAT';
alter type compta.journal add value 'AC' before 'CA';
comment on type compta.journal is
  'Journal comptable : ventes, achats, caisse, banque et monnaie électronique, opérations diverses.';

comment on column market.mouvement_stock.ecart_de_cout is
  'Coût hors du stock, daté du mouvement : d''une CORRECTION, celui des articles déjà sortis ; d''articles rendus au fournisseur, ce que le stock perd de plus ou de moins qu''ils n''avaient coûté. Posé par un déclencheur.';
