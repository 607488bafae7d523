-- The accountant's file: the accounts of each case, the closed months, and their frozen lines. The lines of an open month
-- are derived (sql/compta/au_dessus/_ecriture.sql) and stored nowhere.
-- depends: 0065.core-taxes
-- squawk-ignore-file constraint-missing-not-valid -- there is one payslip for each employee and month
-- squawk-ignore-file require-concurrent-index-creation -- as above

create schema compta;
comment on schema compta is 'Comptabilité : comptes de chaque cas, écritures en partie double, mois clôturés.';

create type compta.cas as enum (
  'CLIENTS', 'CREDIT_CLIENT', 'VENTES', 'TAXES', 'CAISSES', 'MOYENS', 'HORS_CAISSE', 'DEPENSES', 'DEPENSES_HORS_CAISSE',
  'CAUTIONS', 'CAUTIONS_RETENUES', 'SALAIRES', 'PRIMES', 'PERSONNEL', 'PERSONNEL_AVANCES', 'PERSONNEL_RETENUES');
comment on type compta.cas is 'Ce qui demande un compte.';
create type compta.type_ecriture as enum ('FACTURE', 'AVOIR', 'PAIEMENT', 'DEPENSE', 'CAUTION', 'PAIE');
comment on type compta.type_ecriture is 'Ce dont vient une écriture ; CAUTION est la part d''une caution que l''on garde.';
create type compta.journal as enum ('VE', 'CA', 'BQ', 'OD');
comment on type compta.journal is 'Journal comptable : ventes, caisse, banque et monnaie électronique, opérations diverses.';

create domain compta.numero_compte as text
  constraint numero_de_compte_mal_forme check (value ~ '^[1-9][0-9A-Z]{1,19}$');
comment on domain compta.numero_compte is 'Numéro de compte : sa classe, de 1 à 9, puis des chiffres ou des majuscules, 20 signes au plus.';
comment on constraint numero_de_compte_mal_forme on domain compta.numero_compte is
  'Un numéro de compte commence par sa classe, de 1 à 9, puis compte des chiffres ou des majuscules (exemple : 4111).';

create table compta.compte (
  id_compte bigint generated always as identity constraint compte_pkey primary key,
  cas compta.cas not null,
  id_activite bigint constraint compte_activite_inconnue references core.activite,
  id_moyen bigint constraint compte_moyen_inconnu references finances.moyen_paiement,
  id_caisse bigint constraint compte_caisse_inconnue references finances.caisse,
  id_categorie_depense bigint constraint compte_categorie_inconnue references finances.categorie_depense on delete cascade,
  code_taxe core.code constraint compte_taxe_inconnue references core.code_taxe,
  compte compta.numero_compte,
  libelle core.libelle,
  constraint compte_existant unique nulls not distinct (cas, id_activite, id_moyen, id_caisse, id_categorie_depense, code_taxe),
  constraint compte_du_cas check (
    num_nonnulls(id_activite, id_moyen, id_caisse, id_categorie_depense, code_taxe) <= 1
    and (id_activite is null or cas = 'VENTES') and (id_moyen is null or cas = 'MOYENS')
    and (id_caisse is null or cas = 'CAISSES') and (id_categorie_depense is null or cas = 'DEPENSES')
    and (code_taxe is null or cas = 'TAXES') and (cas <> 'MOYENS' or id_moyen is not null))
);
create index compte_id_activite on compta.compte (id_activite);
create index compte_code_taxe on compta.compte (code_taxe) where code_taxe is not null;
create index compte_id_moyen on compta.compte (id_moyen);
create index compte_id_caisse on compta.compte (id_caisse);
create index compte_id_categorie_depense on compta.compte (id_categorie_depense);
comment on table compta.compte is
  'Compte de chaque cas. La ligne d''une activité, d''un moyen, d''une caisse, d''une catégorie ou d''une taxe passe avant celle du cas.';
comment on column compta.compte.cas is 'Ce qui demande ce compte.';
comment on column compta.compte.code_taxe is 'Code de la taxe collectée.';
comment on column compta.compte.compte is 'Numéro du compte, null pour aucun.';
comment on column compta.compte.libelle is 'Intitulé du compte.';
comment on constraint compte_existant on compta.compte is 'Ce cas a déjà son compte.';
comment on constraint compte_du_cas on compta.compte is 'Ce cas ne se divise pas ainsi.';
comment on constraint compte_activite_inconnue on compta.compte is 'Cette activité n''existe pas.';
comment on constraint compte_taxe_inconnue on compta.compte is 'Ce code de taxe n''existe pas.';
comment on constraint compte_moyen_inconnu on compta.compte is 'Ce moyen de paiement n''existe pas.';
comment on constraint compte_caisse_inconnue on compta.compte is 'Cette caisse n''existe pas.';
comment on constraint compte_categorie_inconnue on compta.compte is 'Cette catégorie de dépense n''existe pas.';

create table compta.periode (
  periode core.periode constraint periode_pkey primary key,
  dernier_jour date not null generated always as (
    (make_date(substr(periode, 1, 4)::integer, substr(periode, 6, 2)::integer, 1) + interval '1 month')::date - 1) stored,
  premier_numero bigint,
  dernier_numero bigint,
  nombre bigint not null,
  total_debit core.somme not null,
  total_credit core.somme not null,
  empreinte bytea not null,
  date_cloture timestamptz not null default clock_timestamp(),
  id_utilisateur bigint constraint cloture_utilisateur_inconnu references auth.utilisateur,
  constraint cloture_equilibree check (total_debit = total_credit),
  constraint cloture_numeros check (
    case when nombre = 0 then num_nonnulls(premier_numero, dernier_numero) = 0
         else num_nulls(premier_numero, dernier_numero) = 0 and dernier_numero - premier_numero + 1 = nombre end)
);
create unique index periode_dernier_jour on compta.periode (dernier_jour);
create index periode_id_utilisateur on compta.periode (id_utilisateur);
comment on table compta.periode is 'Mois clôturé : ses lignes sont dans compta.ecriture, et rien de daté jusqu''à lui ne change plus.';
comment on column compta.periode.dernier_jour is 'Dernier jour du mois.';
comment on column compta.periode.periode is 'Mois, AAAA-MM.';
comment on column compta.periode.premier_numero is 'Numéro de sa première ligne, null s''il n''y en a aucune.';
comment on column compta.periode.dernier_numero is 'Numéro de sa dernière ligne, null s''il n''y en a aucune.';
comment on column compta.periode.total_debit is 'Somme des débits.';
comment on column compta.periode.total_credit is 'Somme des crédits.';
comment on column compta.periode.date_cloture is 'Instant de la clôture.';
comment on column compta.periode.id_utilisateur is 'Qui a clôturé ; null hors de l''API.';
comment on column compta.periode.nombre is 'Nombre de lignes.';
comment on column compta.periode.empreinte is 'SHA-256 de l''empreinte du mois clôturé d''avant et des lignes de celui-ci.';
comment on index compta.periode_dernier_jour is 'Cette période est déjà clôturée.';
comment on constraint periode_pkey on compta.periode is 'Cette période est déjà clôturée.';
comment on constraint cloture_utilisateur_inconnu on compta.periode is 'Ce compte n''existe pas.';
comment on constraint cloture_equilibree on compta.periode is 'Les débits et les crédits d''une période sont égaux.';
comment on constraint cloture_numeros on compta.periode is 'Les numéros d''une période se suivent sans trou.';

create table compta.ecriture (
  numero bigint constraint ecriture_pkey primary key,
  type compta.type_ecriture not null,
  id_document bigint not null,
  id_ligne bigint not null,
  journal compta.journal not null,
  date date not null,
  piece text not null,
  compte compta.numero_compte not null,
  libelle text not null,
  debit core.montant,
  credit core.montant,
  reference text,
  id_activite bigint,
  id_caisse bigint,
  constraint ecriture_un_sens check (num_nonnulls(debit, credit) = 1),
  constraint ecriture_existante unique (date, type, id_ligne)
);
comment on table compta.ecriture is 'Lignes des mois clôturés, telles que l''export les a données. Elles ne changent ni ne s''effacent.';
comment on column compta.ecriture.numero is 'Numéro de la ligne, sans trou d''un mois à l''autre.';
comment on column compta.ecriture.type is 'Ce dont vient l''écriture.';
comment on column compta.ecriture.journal is 'VE, CA, BQ ou OD.';
comment on column compta.ecriture.compte is 'Numéro du compte, tel qu''à la clôture.';
comment on column compta.ecriture.libelle is 'Texte de l''écriture, tel qu''à la clôture.';
comment on column compta.ecriture.reference is 'Document auquel celui-ci se rapporte.';
comment on column compta.ecriture.id_activite is 'Activité du document, null s''il n''en a pas.';
comment on column compta.ecriture.id_caisse is 'Caisse du document, null s''il n''en a pas.';
comment on column compta.ecriture.id_document is 'Facture, avoir, paiement, dépense, caution ou bulletin, selon le type.';
comment on column compta.ecriture.id_ligne is 'id_document × 100 + rang de la ligne : unique pour un type.';
comment on column compta.ecriture.date is 'Date de gestion.';
comment on column compta.ecriture.piece is 'Numéro du document.';
comment on column compta.ecriture.debit is 'Null pour un crédit.';
comment on column compta.ecriture.credit is 'Null pour un débit.';
comment on constraint ecriture_pkey on compta.ecriture is 'Ce numéro d''écriture est déjà pris.';
comment on constraint ecriture_un_sens on compta.ecriture is 'Une ligne est au débit ou au crédit.';
comment on constraint ecriture_existante on compta.ecriture is 'Cette ligne est déjà écrite.';

-- The month of a payslip may be closed before the slip is valid: its day then is a later one.
alter table rh.paie add column jour date;
update rh.paie
   set jour = (make_date(substr(periode, 1, 4)::integer, substr(periode, 6, 2)::integer, 1) + interval '1 month')::date - 1
 where statut in ('VALIDEE', 'PAYEE');
alter table rh.paie add constraint paie_validee_datee check (jour is not null or statut not in ('VALIDEE', 'PAYEE'));
create index paie_jour on rh.paie (jour);
comment on column rh.paie.jour is
  'Jour où le bulletin validé compte comme une charge : le dernier de son mois ; celui de sa validation si elle vient avant, ou si le mois est clôturé. Posé par un déclencheur.';
comment on constraint paie_validee_datee on rh.paie is 'Un bulletin validé a son jour.';

-- The numbers of the revised SYSCOHADA chart (docs/decisions/0066-comptabilite.md).
insert into compta.compte (cas, compte, libelle) values
  ('CLIENTS', '4111', 'Clients'),
  ('CREDIT_CLIENT', '4191', 'Clients, avances et acomptes reçus'),
  ('VENTES', '706', 'Services vendus'),
  ('TAXES', '443', 'État, TVA facturée'),
  ('CAISSES', '571', 'Caisse'),
  ('HORS_CAISSE', '571', 'Caisse'),
  ('DEPENSES', '658', 'Charges diverses'),
  ('DEPENSES_HORS_CAISSE', '521', 'Banques locales'),
  ('CAUTIONS', '165', 'Dépôts et cautionnements reçus'),
  ('CAUTIONS_RETENUES', '758', 'Produits divers'),
  ('SALAIRES', '6611', 'Appointements, salaires et commissions'),
  ('PRIMES', '6612', 'Primes et gratifications'),
  ('PERSONNEL', '422', 'Personnel, rémunérations dues'),
  ('PERSONNEL_AVANCES', '421', 'Personnel, avances et acomptes'),
  ('PERSONNEL_RETENUES', '428', 'Personnel, charges à payer et produits à recevoir');
insert into compta.compte (cas, id_activite, compte, libelle)
select 'VENTES', a.id_activite, c.compte, c.libelle
  from (values ('VENTE_MARCHANDISES', '701', 'Ventes de marchandises'), ('PRESSING', '706', 'Services vendus'),
               ('RESTAURATION', '706', 'Services vendus'), ('SALLE_FETE', '7073', 'Locations'),
               ('LOCATION_RESIDENTIEL', '7073', 'Locations'), ('LOCATION_COMMERCIAL', '7073', 'Locations'))
       as c (code, compte, libelle)
  join core.activite a on a.code = c.code
 order by a.id_activite;
insert into compta.compte (cas, id_moyen, compte, libelle)
select 'MOYENS', m.id_moyen, c.compte, c.libelle
  from (values ('Mobile Money', '552', 'Monnaie électronique, téléphone portable'), ('Carte bancaire', '515', 'Cartes de crédit à encaisser'),
               ('Virement', '521', 'Banques locales'), ('Chèque', '513', 'Chèques à encaisser'))
       as c (moyen, compte, libelle)
  join finances.moyen_paiement m on m.libelle = c.moyen
 order by m.id_moyen;
