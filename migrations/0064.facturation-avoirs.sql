-- Credit notes: what an invoice no longer claims, and what of it its client keeps as credit. The table of invoices is
-- written again, because its remainder and its state now count credit notes.
-- depends: 0063.facturation-impayes-cle
-- squawk-ignore-file constraint-missing-not-valid -- the table is written again anyway, or scanned in a second
-- squawk-ignore-file require-concurrent-index-creation -- the table is written again, and the other one is tiny
-- squawk-ignore-file renaming-column -- only the code reads it, and the upgrade has dropped that code
-- squawk-ignore-file changing-column-type -- there is one seal for ten thousand entries
-- squawk-ignore-file ban-drop-type -- only the former code used it
-- squawk-ignore-file renaming-object -- the former type lives until the end of this file

create table facturation.avoir (
  id_avoir bigint generated always as identity constraint avoir_pkey primary key,
  numero text not null constraint numero_avoir_existant unique,
  date timestamptz not null,
  jour date not null,
  id_facture bigint not null constraint avoir_facture_inconnue references facturation.facture,
  id_client bigint constraint avoir_client_inconnu references client.client,
  id_activite bigint constraint avoir_activite_inconnue references core.activite,
  id_utilisateur bigint constraint avoir_utilisateur_inconnu references auth.utilisateur,
  motif core.texte not null,
  montant_total core.somme not null constraint avoir_non_nul check (montant_total > 0),
  montant_excedent core.somme not null default 0,
  rembourse boolean not null default false,
  annulation boolean not null default false,
  constraint avoir_excedent_borne check (montant_excedent between 0 and montant_total)
);
create index avoir_date on facturation.avoir (date desc, id_avoir desc);
create index avoir_jour on facturation.avoir (jour, id_activite);
create index avoir_id_facture on facturation.avoir (id_facture);
create index avoir_id_client on facturation.avoir (id_client) where id_client is not null;
create index avoir_id_activite on facturation.avoir (id_activite, date desc, id_avoir desc);
create index avoir_id_utilisateur on facturation.avoir (id_utilisateur);
comment on table facturation.avoir is 'Avoir : ce qu''une facture ne demande plus. Il ne change ni ne s''efface.';
comment on column facturation.avoir.numero is 'Numéro <ORG>-AVO-<AAAA>-<NNN>, sans trou.';
comment on column facturation.avoir.date is 'Instant de l''émission, pris une fois le numéro donné. Posé par un déclencheur.';
comment on column facturation.avoir.jour is 'Date de gestion de l''avoir.';
comment on column facturation.avoir.id_utilisateur is 'Auteur, null hors de l''API.';
comment on column facturation.avoir.motif is 'Pourquoi la facture est créditée.';
comment on column facturation.avoir.montant_total is 'Somme des lignes, tenue par un déclencheur.';
comment on column facturation.avoir.montant_excedent is 'Ce qui était payé au-delà de ce qui reste dû : rendu, ou gardé au crédit du client. Tenu par un déclencheur.';
comment on column facturation.avoir.rembourse is 'Vrai si l''excédent est rendu, faux s''il devient le crédit du client.';
comment on column facturation.avoir.annulation is 'Vrai pour l''avoir qui annule la facture.';
comment on constraint numero_avoir_existant on facturation.avoir is 'Un avoir porte déjà ce numéro.';
comment on constraint avoir_facture_inconnue on facturation.avoir is 'Cette facture n''existe pas.';
comment on constraint avoir_client_inconnu on facturation.avoir is 'Ce client n''existe pas.';
comment on constraint avoir_activite_inconnue on facturation.avoir is 'Cette activité n''existe pas.';
comment on constraint avoir_utilisateur_inconnu on facturation.avoir is 'Ce compte n''existe pas.';
comment on constraint avoir_non_nul on facturation.avoir is 'Un avoir est plus grand que zéro.';
comment on constraint avoir_excedent_borne on facturation.avoir is 'L''excédent d''un avoir ne dépasse pas l''avoir.';

create table facturation.avoir_ligne (
  id_ligne_avoir bigint generated always as identity constraint avoir_ligne_pkey primary key,
  id_avoir bigint not null constraint ligne_avoir_inconnu references facturation.avoir deferrable initially deferred,
  id_ligne bigint not null constraint ligne_avoir_ligne_inconnue references facturation.facture_ligne,
  quantite core.nombre,
  montant core.montant_du_reglement not null,
  retour_stock boolean not null default false,
  constraint ligne_avoir_repetee unique (id_avoir, id_ligne),
  constraint retour_stock_sans_quantite check (not retour_stock or quantite is not null)
);
create index avoir_ligne_id_ligne on facturation.avoir_ligne (id_ligne);
comment on table facturation.avoir_ligne is 'Ligne d''un avoir, écrite juste avant lui : sa clé étrangère se vérifie à la fin de la transaction.';
comment on column facturation.avoir_ligne.id_ligne is 'Ligne de la facture.';
comment on column facturation.avoir_ligne.quantite is 'Null d''une ligne créditée d''un montant.';
comment on column facturation.avoir_ligne.montant is 'Ce qui est crédité de la ligne, remise de la facture déduite.';
comment on column facturation.avoir_ligne.retour_stock is 'Vrai si l''article est rentré en stock.';
comment on constraint ligne_avoir_inconnu on facturation.avoir_ligne is 'Cet avoir n''existe pas.';
comment on constraint ligne_avoir_ligne_inconnue on facturation.avoir_ligne is 'Cette ligne de facture n''existe pas.';
comment on constraint ligne_avoir_repetee on facturation.avoir_ligne is 'Une ligne de la facture n''est qu''une fois dans un avoir.';
comment on constraint retour_stock_sans_quantite on facturation.avoir_ligne is 'Un retour en stock dit sa quantité.';

alter table facturation.facture
  drop column reste,
  drop column statut,
  -- squawk-ignore ban-drop-constraint -- a deferred trigger takes its place: the credit note now comes before the refund
  drop constraint facture_annulee_remboursee,
  add column montant_avoirs core.somme not null default 0,
  add column montant_credit core.somme not null default 0,
  -- squawk-ignore adding-field-with-default -- the remainder and the state stay derived by the table itself
  add column reste core.somme not null generated always as (
    case when annulee then 0
         else greatest(montant_total - montant_avoirs - montant_paye + montant_credit, 0) end) stored,
  -- squawk-ignore adding-field-with-default -- as above
  add column statut facturation.statut_facture not null generated always as (
    case when annulee then 'ANNULEE'::facturation.statut_facture
         when montant_paye - montant_credit >= montant_total - montant_avoirs then 'PAYEE'::facturation.statut_facture
         when montant_paye - montant_credit > 0 then 'PARTIELLE'::facturation.statut_facture
         else 'IMPAYEE'::facturation.statut_facture end) stored,
  add constraint facture_avoirs_bornes check (montant_avoirs between 0 and montant_total),
  add constraint facture_credit_borne check (montant_credit between 0 and montant_paye);
comment on column facturation.facture.montant_avoirs is 'Somme des avoirs, tenue par un déclencheur.';
comment on column facturation.facture.montant_credit is 'Ce qui, de montant_paye, est devenu le crédit du client par un avoir. Tenu par un déclencheur.';
comment on column facturation.facture.reste is
  'Reste à payer : montant_total − montant_avoirs − montant_paye + montant_credit, 0 au moins et pour une facture annulée.';
comment on column facturation.facture.statut is 'Déduit des montants ; ANNULEE par l''annulation de sa source.';
comment on constraint facture_avoirs_bornes on facturation.facture is 'Les avoirs dépassent la facture.';
comment on constraint facture_credit_borne on facturation.facture is 'Le crédit que laissent les avoirs d''une facture vient de ce qu''elle a reçu.';
create index facture_a_payer on facturation.facture (date desc, id_facture desc) where statut in ('IMPAYEE', 'PARTIELLE');
create index facture_impayee_cle on facturation.facture (jour, numero, id_facture) where statut in ('IMPAYEE', 'PARTIELLE');

alter table facturation.resume_facture rename column chiffre_affaires to factures;
alter table facturation.resume_facture add column avoirs core.somme not null default 0;
comment on table facturation.resume_facture is
  'Factures et avoirs par jour et activité. La tâche « resumer-factures » y ajoute les factures, chacune une fois ; un avoir s''y ajoute à son émission.';
comment on column facturation.resume_facture.jour is 'Date de gestion des factures et des avoirs.';
comment on column facturation.resume_facture.nombre is 'Nombre de factures, sans les annulées.';
comment on column facturation.resume_facture.factures is 'Somme des factures, remises déduites.';
comment on column facturation.resume_facture.avoirs is 'Somme des avoirs.';

alter table finances.moyen_paiement add column credit boolean not null default false;
create unique index moyen_credit_unique on finances.moyen_paiement (credit) where credit;
comment on column finances.moyen_paiement.credit is 'Vrai pour le moyen qui puise dans le crédit du client ; il n''entre dans aucune caisse. Il n''y en a qu''un.';
comment on index finances.moyen_credit_unique is 'Un seul moyen de paiement est le crédit du client.';
insert into finances.moyen_paiement (libelle, credit)
select case when exists (select from finances.moyen_paiement m where m.libelle = 'Crédit client')
            then 'Crédit client (avoirs)' else 'Crédit client' end, true;

alter table finances.paiement
  add column credit boolean not null default false,
  add constraint paiement_credit_hors_caisse check (not credit or id_caisse is null),
  add constraint paiement_credit_du_client check (not credit or id_client is not null);
comment on column finances.paiement.credit is 'Vrai si le moyen était le crédit du client : aucun argent n''a bougé. Posé par un déclencheur.';
comment on constraint paiement_credit_hors_caisse on finances.paiement is 'Le crédit d''un client n''entre dans aucune caisse.';
comment on constraint paiement_credit_du_client on finances.paiement is 'Le crédit client ne paie que la facture d''un client.';

create table finances.mouvement_credit (
  id_mouvement bigint generated always as identity constraint mouvement_credit_pkey primary key,
  date timestamptz not null default clock_timestamp(),
  id_client bigint not null constraint mouvement_credit_client_inconnu references client.client,
  montant core.montant_signe not null constraint mouvement_credit_non_nul check (montant <> 0),
  id_avoir bigint constraint mouvement_credit_avoir_inconnu references facturation.avoir,
  id_paiement bigint constraint mouvement_credit_paiement_inconnu references finances.paiement,
  constraint mouvement_credit_origine check (num_nonnulls(id_avoir, id_paiement) > 0)
);
create index mouvement_credit_id_client on finances.mouvement_credit (id_client, id_mouvement) include (montant);
create index mouvement_credit_id_avoir on finances.mouvement_credit (id_avoir) where id_avoir is not null;
create index mouvement_credit_id_paiement on finances.mouvement_credit (id_paiement) where id_paiement is not null;
comment on table finances.mouvement_credit is 'Compte de chaque client : ce que ses avoirs lui laissent, ce que ses paiements y prennent. Rien ne s''y change.';
comment on column finances.mouvement_credit.date is 'Instant de l''écriture.';
comment on column finances.mouvement_credit.montant is 'Positif quand le crédit augmente.';
comment on column finances.mouvement_credit.id_avoir is 'Avoir dont vient le crédit, ou dont le crédit est repris.';
comment on column finances.mouvement_credit.id_paiement is 'Paiement qui a pris au crédit, ou qui l''a rendu ; paiement contraire qui a fait reprendre le crédit d''un avoir.';
comment on constraint mouvement_credit_client_inconnu on finances.mouvement_credit is 'Ce client n''existe pas.';
comment on constraint mouvement_credit_non_nul on finances.mouvement_credit is 'Un mouvement de crédit n''est pas nul.';
comment on constraint mouvement_credit_avoir_inconnu on finances.mouvement_credit is 'Cet avoir n''existe pas.';
comment on constraint mouvement_credit_paiement_inconnu on finances.mouvement_credit is 'Ce paiement n''existe pas.';
comment on constraint mouvement_credit_origine on finances.mouvement_credit is 'Un mouvement vient d''un avoir ou d''un paiement.';

-- A label that is added to an enum cannot be used before the commit, and the code of this release uses it.
alter type audit.registre rename to registre_sans_avoir;
create type audit.registre as enum ('journal', 'facture', 'paiement', 'application_paiement', 'avoir');
comment on type audit.registre is 'Ce qui se scelle.';
alter table audit.sceau alter column registre type audit.registre using registre::text::audit.registre;
drop type audit.registre_sans_avoir;
