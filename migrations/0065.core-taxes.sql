-- Taxes: the rates and the regime of the organisation, the code of each article, and the tax of each invoice line.
-- Nothing of it is set by default, and an invoice without a tax keeps its numbers.
-- depends: 0064.facturation-avoirs
-- squawk-ignore-file constraint-missing-not-valid -- the new columns are empty, so each scan only reads
-- squawk-ignore-file require-concurrent-index-creation -- the tables are new or small, or the partial index is empty
-- squawk-ignore-file adding-foreign-key-constraint -- the new columns are empty

create type core.nature_taxe as enum ('TAUX', 'EXONERE', 'ZERO', 'EXPORT');
comment on type core.nature_taxe is
  'TAUX : un taux s''applique. EXONERE : l''opération est exonérée. ZERO : elle est taxée à taux nul. EXPORT : elle est exportée.';

create domain core.taux_taxe as numeric(5,2)
  constraint taux_taxe_positif check (value >= 0)
  constraint taux_taxe_maximal check (value <= 100);
comment on domain core.taux_taxe is 'Taux d''une taxe en pour cent, deux décimales, de 0 à 100.';
comment on constraint taux_taxe_positif on domain core.taux_taxe is 'Un taux ne peut pas être négatif.';
comment on constraint taux_taxe_maximal on domain core.taux_taxe is 'Un taux ne dépasse pas 100 %.';

create table core.code_taxe (
  code core.code constraint code_taxe_pkey primary key
);
comment on table core.code_taxe is 'Codes de taxe : un article nomme un code, et le jour de la facture dit lequel de ses taux s''applique.';

create table core.taxe (
  id_taxe bigint generated always as identity constraint taxe_pkey primary key,
  code core.code not null constraint taxe_code_inconnu references core.code_taxe,
  libelle core.libelle not null,
  taux core.taux_taxe not null,
  nature core.nature_taxe not null,
  du date not null,
  au date,
  constraint taxe_existante unique (code, du),
  constraint taxe_taux_de_sa_nature check ((nature = 'TAUX') = (taux > 0)),
  constraint taxe_jours_ordonnes check (au >= du)
);
comment on table core.taxe is 'Taux d''un code de taxe, chacun depuis son jour ; le suivant du même code le remplace. Rien n''y change que le libellé.';
comment on column core.code_taxe.code is 'Par exemple TVA, TVA_REDUITE ou EXPORT.';
comment on column core.taxe.nature is 'Ce que dit le taux : un pourcentage, une exonération, un taux nul ou une exportation.';
comment on column core.taxe.taux is 'En pour cent ; 0 pour une autre nature que TAUX.';
comment on column core.taxe.du is 'Premier jour du taux.';
comment on column core.taxe.au is 'Dernier jour du taux ; null : jusqu''à la veille du taux suivant du même code.';
comment on constraint taxe_code_inconnu on core.taxe is 'Ce code de taxe n''existe pas.';
comment on constraint taxe_existante on core.taxe is 'Ce code a déjà un taux depuis ce jour.';
comment on constraint taxe_taux_de_sa_nature on core.taxe is 'Une taxe de nature TAUX a un taux plus grand que zéro, et une autre nature a le taux 0.';
comment on constraint taxe_jours_ordonnes on core.taxe is 'Le dernier jour d''un taux n''est pas avant le premier.';

create type core.regime_taxe as enum ('ASSUJETTI', 'NON_ASSUJETTI');
comment on type core.regime_taxe is 'ASSUJETTI : l''organisation facture des taxes. NON_ASSUJETTI : elle n''en facture aucune.';

create table core.regime (
  du date constraint regime_existant primary key,
  regime core.regime_taxe not null
);
comment on table core.regime is 'Régime de l''organisation depuis chaque jour ; ASSUJETTI avant le premier. Rien n''y change.';
comment on column core.regime.regime is 'ASSUJETTI ou NON_ASSUJETTI.';
comment on column core.regime.du is 'Premier jour du régime.';
comment on constraint regime_existant on core.regime is 'Un régime commence déjà ce jour.';

insert into core.parametre (cle, valeur, description) values
  ('TAXES_PRIX', 'TTC', 'TTC : les prix saisis comprennent la taxe. HT : elle s''ajoute au total d''une prestation, d''une vente ou d''une commande du restaurant ; un montant convenu d''avance (loyer, séjour, réservation, pressing, abonnement) la comprend toujours.'),
  ('TAXES_ARRONDI', 'LIGNE', 'LIGNE : la taxe s''arrondit à chaque ligne. FACTURE : elle s''arrondit une fois par taux, et l''écart va à la plus grande ligne.'),
  ('TAXES_DUES', 'FACTURE', 'FACTURE : la taxe est due à la facture. ENCAISSEMENT : elle est due à mesure que la facture est payée.'),
  ('NUMERO_CONTRIBUABLE', '', 'Numéro de contribuable de l''organisation, imprimé sur ses factures quand elles portent une taxe.'),
  ('NUMERO_CONTRIBUABLE_MOTIF', '', 'Expression régulière d''un numéro de contribuable valable, par exemple ^[0-9]{7}[A-Z]$ ; vide, tout numéro est admis.')
on conflict on constraint parametre_existant do nothing;

alter table client.client add column numero_contribuable text;
comment on column client.client.numero_contribuable is 'Numéro de contribuable, de la forme que demande le paramètre NUMERO_CONTRIBUABLE_MOTIF.';

alter table core.activite add column code_taxe text constraint activite_taxe_inconnue references core.code_taxe;
create index activite_code_taxe on core.activite (code_taxe) where code_taxe is not null;
comment on column core.activite.code_taxe is 'Code de taxe de ce qui n''a pas le sien, null sans taxe.';
comment on constraint activite_taxe_inconnue on core.activite is 'Ce code de taxe n''existe pas.';

alter table facturation.prestation add column code_taxe text constraint prestation_taxe_inconnue references core.code_taxe;
create index prestation_code_taxe on facturation.prestation (code_taxe) where code_taxe is not null;
comment on column facturation.prestation.code_taxe is 'Code de taxe, null : celui de l''activité.';
comment on constraint prestation_taxe_inconnue on facturation.prestation is 'Ce code de taxe n''existe pas.';

alter table market.produit add column code_taxe text constraint produit_taxe_inconnue references core.code_taxe;
create index produit_code_taxe on market.produit (code_taxe) where code_taxe is not null;
comment on column market.produit.code_taxe is 'Code de taxe, null : celui de l''activité.';
comment on constraint produit_taxe_inconnue on market.produit is 'Ce code de taxe n''existe pas.';

alter table restaurant.plat add column code_taxe text constraint plat_taxe_inconnue references core.code_taxe;
create index plat_code_taxe on restaurant.plat (code_taxe) where code_taxe is not null;
comment on column restaurant.plat.code_taxe is 'Code de taxe, null : celui de l''activité.';
comment on constraint plat_taxe_inconnue on restaurant.plat is 'Ce code de taxe n''existe pas.';

alter table pressing.prestation add column code_taxe text constraint prestation_pressing_taxe_inconnue references core.code_taxe;
create index prestation_pressing_code_taxe on pressing.prestation (code_taxe) where code_taxe is not null;
comment on column pressing.prestation.code_taxe is 'Code de taxe, null : celui de l''activité.';
comment on constraint prestation_pressing_taxe_inconnue on pressing.prestation is 'Ce code de taxe n''existe pas.';

alter table salle_fete.type_manifestation add column code_taxe text constraint type_manifestation_taxe_inconnue references core.code_taxe;
create index type_manifestation_code_taxe on salle_fete.type_manifestation (code_taxe) where code_taxe is not null;
comment on column salle_fete.type_manifestation.code_taxe is 'Code de taxe, null : celui de l''activité.';
comment on constraint type_manifestation_taxe_inconnue on salle_fete.type_manifestation is 'Ce code de taxe n''existe pas.';

alter table residence.logement add column code_taxe text constraint logement_taxe_inconnue references core.code_taxe;
create index logement_code_taxe on residence.logement (code_taxe) where code_taxe is not null;
comment on column residence.logement.code_taxe is 'Code de taxe de ses loyers, séjours et charges, null : celui de l''activité.';
comment on constraint logement_taxe_inconnue on residence.logement is 'Ce code de taxe n''existe pas.';

-- The columns below have a plain or unconstrained type and a constant default, so no table is written again.
-- No foreign key: the code comes from a column that has one, and each check would lock the row of a code that most
-- lines share.
alter table facturation.facture_ligne add column code_taxe text;
comment on column facturation.facture_ligne.code_taxe is 'Code de taxe de l''article à l''émission, sinon celui de l''activité ; il ne change plus.';

create type facturation.mode_prix as enum ('TTC', 'HT');
comment on type facturation.mode_prix is 'TTC : les prix des lignes comprennent la taxe. HT : elle s''y ajoute.';

alter table facturation.facture
  add column mode_prix facturation.mode_prix,
  add column montant_taxe core.somme not null default 0,
  add constraint facture_taxe_bornee check (montant_taxe between 0 and montant_total);
comment on column facturation.facture.mode_prix is 'Ce que disent les prix de ses lignes, null d''une facture sans taxe. Posé par un déclencheur.';
comment on column facturation.facture.montant_taxe is 'Somme des taxes de ses lignes, comprise dans montant_total. Tenue par un déclencheur.';
comment on constraint facture_taxe_bornee on facturation.facture is 'La taxe d''une facture est une part de son total.';

create table facturation.facture_ligne_taxe (
  id_ligne bigint constraint facture_ligne_taxe_pkey primary key
    constraint ligne_taxe_ligne_inconnue references facturation.facture_ligne,
  id_facture bigint not null constraint ligne_taxe_facture_inconnue references facturation.facture deferrable initially deferred,
  id_taxe bigint not null constraint ligne_taxe_taux_inconnu references core.taxe,
  base core.somme not null,
  montant core.somme not null,
  constraint ligne_taxe_positive check (base >= 0 and montant >= 0)
);
create index facture_ligne_taxe_id_facture on facturation.facture_ligne_taxe (id_facture);
create index facture_ligne_taxe_id_taxe on facturation.facture_ligne_taxe (id_taxe);
comment on table facturation.facture_ligne_taxe is 'Taxe d''une ligne de facture, écrite juste avant la facture : sa clé étrangère se vérifie à la fin de la transaction.';
comment on column facturation.facture_ligne_taxe.id_taxe is 'Taux du jour de la facture.';
comment on column facturation.facture_ligne_taxe.base is 'Hors taxe, sa part de la remise déduite.';
comment on column facturation.facture_ligne_taxe.montant is 'Taxe, à l''unité de la devise.';
comment on constraint ligne_taxe_ligne_inconnue on facturation.facture_ligne_taxe is 'Cette ligne de facture n''existe pas.';
comment on constraint ligne_taxe_facture_inconnue on facturation.facture_ligne_taxe is 'Cette facture n''existe pas.';
comment on constraint ligne_taxe_taux_inconnu on facturation.facture_ligne_taxe is 'Ce taux n''existe pas.';
comment on constraint ligne_taxe_positive on facturation.facture_ligne_taxe is 'Une base et sa taxe ne sont pas négatives.';
alter table facturation.facture_ligne_taxe enable row level security;

alter table facturation.avoir_ligne
  add column montant_taxe core.somme not null default 0,
  add constraint avoir_ligne_taxe_bornee check (montant_taxe between 0 and montant);
comment on column facturation.avoir_ligne.montant_taxe is 'Part de la taxe de la ligne facturée, comprise dans montant. Posée par un déclencheur.';
comment on constraint avoir_ligne_taxe_bornee on facturation.avoir_ligne is 'La taxe d''une ligne créditée est une part de son montant.';
alter table facturation.avoir
  add column montant_taxe core.somme not null default 0,
  add constraint avoir_taxe_bornee check (montant_taxe between 0 and montant_total);
comment on column facturation.avoir.montant_taxe is 'Somme des taxes de ses lignes, comprise dans montant_total. Posée par un déclencheur.';
comment on constraint avoir_taxe_bornee on facturation.avoir is 'La taxe d''un avoir est une part de son total.';
