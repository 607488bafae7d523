-- Stock in the ledger, entries of the accountant, opening balances, closed years, and the permissions COMPTA.
-- depends: 0094.achat-factures
-- squawk-ignore-file require-concurrent-index-creation -- an index of block ranges reads the table once
-- squawk-ignore-file prefer-bigint-over-int -- the place of a line
alter table market.mouvement_stock add column jour date;
update market.mouvement_stock m
   set jour = (m.date at time zone coalesce((select p.valeur from core.parametre p where p.cle = 'FUSEAU_HORAIRE'), 'UTC'))::date
 where m.valeur is not null;
create index mouvement_stock_jour on market.mouvement_stock using brin (jour) with (pages_per_range = 32, autosummarize = on);
comment on column market.mouvement_stock.jour is
  'Date de gestion, null d''un mouvement d''avant le coût moyen. Posée par un déclencheur.';

insert into compta.compte (cas, compte, libelle) values
  ('STOCK', '31', 'Marchandises'),
  ('VARIATION_STOCK', '6031', 'Variations des stocks de marchandises'),
  ('A_NOUVEAU', '121', 'Report à nouveau créditeur'),
  ('RESULTAT', '131', 'Résultat net : bénéfice'),
  ('RESULTAT_PERTE', '139', 'Résultat net : perte');

alter type compta.type_ecriture add value 'STOCK' after 'PAIEMENT_ACHAT';
alter type compta.type_ecriture add value 'OPERATION' after 'STOCK';
alter type compta.type_ecriture add value 'A_NOUVEAU' after 'OPERATION';
-- The last one: the result of a year comes after every other line of its last day.
alter type compta.type_ecriture add value 'RESULTAT' after 'A_NOUVEAU';

create table compta.operation (
  id_operation bigint generated always as identity constraint operation_pkey primary key,
  numero core.libelle not null constraint operation_numero_existant unique,
  ouverture boolean not null default false,
  jour date not null,
  libelle core.libelle not null,
  motif core.texte,
  date_saisie timestamptz not null default now(),
  id_utilisateur bigint constraint operation_utilisateur_inconnu references auth.utilisateur,
  id_operation_origine bigint constraint operation_deja_annulee unique
    constraint operation_origine_inconnue references compta.operation
);
create index operation_jour on compta.operation (jour, id_operation);
create index operation_id_utilisateur on compta.operation (id_utilisateur);
comment on table compta.operation is
  'Opération du comptable, ou à-nouveaux. Elle ne change ni ne s''efface : une opération contraire l''annule.';
comment on column compta.operation.numero is 'Numéro sans trou, <ORG>-OPE-<AAAA>-<NNN>, de l''année de la saisie.';
comment on column compta.operation.ouverture is 'Vrai des à-nouveaux, les soldes avec lesquels les livres s''ouvrent.';
comment on column compta.operation.jour is 'Date de gestion.';
comment on column compta.operation.motif is 'Raison de l''annulation, d''une opération contraire.';
comment on column compta.operation.date_saisie is 'Moment de la saisie.';
comment on column compta.operation.id_utilisateur is 'Qui l''a saisie, null hors de l''API.';
comment on column compta.operation.id_operation_origine is 'Opération que celle-ci annule.';
comment on constraint operation_numero_existant on compta.operation is 'Ce numéro d''opération est déjà pris.';
comment on constraint operation_utilisateur_inconnu on compta.operation is 'Cet utilisateur n''existe pas.';
comment on constraint operation_deja_annulee on compta.operation is 'Cette opération est déjà annulée.';
comment on constraint operation_origine_inconnue on compta.operation is 'L''opération à annuler n''existe pas.';

create table compta.operation_ligne (
  id_ligne bigint generated always as identity constraint operation_ligne_pkey primary key,
  id_operation bigint not null constraint ligne_operation_inconnue references compta.operation,
  rang integer not null constraint operation_rang check (rang between 1 and 9999),
  compte compta.numero_compte not null,
  libelle core.libelle,
  debit core.montant,
  credit core.montant,
  constraint operation_ligne_existante unique (id_operation, rang),
  constraint operation_ligne_un_sens check (num_nonnulls(debit, credit) = 1 and coalesce(debit, credit) > 0)
);
comment on table compta.operation_ligne is 'Lignes d''une opération, écrites avec elle, dont les débits et les crédits sont égaux.';
comment on column compta.operation_ligne.compte is 'Numéro du compte.';
comment on column compta.operation_ligne.rang is 'Place dans l''opération.';
comment on column compta.operation_ligne.libelle is 'Null pour celui de l''opération.';
comment on column compta.operation_ligne.debit is 'Null pour un crédit.';
comment on column compta.operation_ligne.credit is 'Null pour un débit.';
comment on constraint ligne_operation_inconnue on compta.operation_ligne is 'Cette opération n''existe pas.';
comment on constraint operation_rang on compta.operation_ligne is 'Une opération compte 9 999 lignes au plus.';
comment on constraint operation_ligne_existante on compta.operation_ligne is 'Cette ligne est déjà écrite.';
comment on constraint operation_ligne_un_sens on compta.operation_ligne is
  'Une ligne a un débit ou un crédit, l''un ou l''autre, plus grand que zéro.';

create domain compta.annee as integer
  constraint annee_trop_ancienne check (value >= 1900)
  constraint annee_trop_lointaine check (value <= 9999);
comment on domain compta.annee is 'Année d''un exercice.';
comment on constraint annee_trop_ancienne on domain compta.annee is 'L''année est 1900 ou après.';
comment on constraint annee_trop_lointaine on domain compta.annee is 'L''année est 9999 au plus.';

create table compta.exercice_clos (
  annee compta.annee constraint exercice_deja_clos primary key,
  date_cloture timestamptz not null default clock_timestamp(),
  id_utilisateur bigint constraint exercice_utilisateur_inconnu references auth.utilisateur
);
create index exercice_clos_id_utilisateur on compta.exercice_clos (id_utilisateur);
comment on table compta.exercice_clos is 'Exercice clôturé : ses charges et ses produits sont soldés par une écriture RESULTAT de son dernier jour.';
comment on column compta.exercice_clos.annee is 'Année civile.';
comment on column compta.exercice_clos.date_cloture is 'Instant de la clôture.';
comment on column compta.exercice_clos.id_utilisateur is 'Qui a clôturé, null hors de l''API.';
comment on constraint exercice_deja_clos on compta.exercice_clos is 'Cet exercice est déjà clôturé.';
comment on constraint exercice_utilisateur_inconnu on compta.exercice_clos is 'Cet utilisateur n''existe pas.';

-- Who reads the finances reads the books. Who may delete there keeps them: a till or an activity does not.
insert into auth.permission (code, libelle) values
  ('COMPTA.VOIR', 'Voir : comptabilité'), ('COMPTA.CREER', 'Créer : comptabilité'),
  ('COMPTA.MODIFIER', 'Modifier : comptabilité'), ('COMPTA.SUPPRIMER', 'Supprimer : comptabilité');
insert into auth.role_permission (id_role, id_permission)
select r.id_role, c.id_permission
  from auth.role_permission r
  join auth.permission f on f.id_permission = r.id_permission
  join auth.permission c on c.code like 'COMPTA.%' and f.code = case c.code when 'COMPTA.VOIR' then 'FINANCES.VOIR' else 'FINANCES.SUPPRIMER' end;
