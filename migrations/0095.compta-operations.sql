-- Stock in the ledger, by the day of its movements.
-- depends: 0093.market-cout-moyen
-- squawk-ignore-file ban-drop-constraint, constraint-missing-not-valid, changing-column-type, renaming-object, ban-drop-type -- of the few rows of compta.compte
-- squawk-ignore-file require-concurrent-index-creation -- an index of block ranges reads the table once
alter table market.mouvement_stock add column jour date;
update market.mouvement_stock m
   set jour = (m.date at time zone coalesce((select p.valeur from core.parametre p where p.cle = 'FUSEAU_HORAIRE'), 'UTC'))::date
 where m.valeur is not null;
create index mouvement_stock_jour on market.mouvement_stock using brin (jour);
comment on column market.mouvement_stock.jour is
  'Date de gestion, null d''un mouvement d''avant le coût moyen. Posée par un déclencheur.';

-- A new label of an enum could not be used in this transaction, so the type of the few rows of compta.compte is made
-- again. The labels of the large table compta.ecriture are only added, and the code reads them as texts.
alter table compta.compte drop constraint compte_du_cas;
alter type compta.cas rename to cas_d_avant;
create type compta.cas as enum (
  'CLIENTS', 'CREDIT_CLIENT', 'VENTES', 'TAXES', 'CAISSES', 'MOYENS', 'HORS_CAISSE', 'VIREMENTS', 'FRAIS', 'STOCK',
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
  ('STOCK', '31', 'Marchandises'),
  ('VARIATION_STOCK', '6031', 'Variations des stocks de marchandises'),
  ('A_NOUVEAU', '121', 'Report à nouveau créditeur');

alter type compta.type_ecriture add value 'STOCK';
