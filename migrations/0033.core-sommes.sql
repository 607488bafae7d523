-- Sums are wider than the entries that they add up, and one entry has a ceiling that the organisation sets.
-- depends: 0028.residence-bornes

create domain core.somme as numeric(32,2);
comment on domain core.somme is
  'Somme de montants, de quantités ou d''heures, signée, deux décimales : plus large que ce qu''elle additionne, aucun rapport ne peut la dépasser.';

create domain core.somme_nombre as numeric(32,2);
comment on domain core.somme_nombre is 'Somme signée, deux décimales ; un nombre JSON dans les réponses.';

insert into core.parametre (cle, valeur, description) values
  ('MONTANT_MAXIMAL', '1000000000',
   'Plus grand montant d''une écriture : paiement, dépense, prix, ligne, total d''une facture, salaire, comptage. Entier, de 1000000 à 999999999999.')
on conflict on constraint parametre_existant do nothing;

alter table finances.resume_paiement
  alter column encaissements type core.somme,
  alter column decaissements type core.somme;

alter table finances.tirage
  drop column ecart,
  alter column montant_attendu type core.somme,
  add column ecart core.somme not null generated always as (montant_compte - montant_attendu) stored;
comment on column finances.tirage.ecart is 'montant_compte − montant_attendu.';

-- What is derived from the sums of an invoice is made again: PostgreSQL changes no column that another is made from.
alter table facturation.facture
  drop column reste,
  drop column statut,
  alter column montant_total type core.somme,
  alter column montant_paye type core.somme,
  add column reste core.somme not null generated always as (montant_total - montant_paye) stored,
  add column statut facturation.statut_facture not null generated always as (
    case when annulee then 'ANNULEE'::facturation.statut_facture
         when montant_paye >= montant_total then 'PAYEE'::facturation.statut_facture
         when montant_paye > 0 then 'PARTIELLE'::facturation.statut_facture
         else 'IMPAYEE'::facturation.statut_facture end) stored,
  add constraint facture_montant_positif check (montant_total >= 0 and montant_paye >= 0);
comment on column facturation.facture.reste is 'Reste à payer : montant_total − montant_paye.';
comment on column facturation.facture.statut is 'Déduit des montants ; ANNULEE par l''annulation de sa source.';
comment on constraint facture_montant_positif on facturation.facture is 'Une facture n''a pas de montant négatif.';
create index facture_a_payer on facturation.facture (date desc, id_facture desc) where statut in ('IMPAYEE', 'PARTIELLE');

alter table market.vente alter column total type core.somme,
  add constraint vente_total_positif check (total >= 0);
comment on constraint vente_total_positif on market.vente is 'Le total d''une vente ne peut pas être négatif.';

alter table pressing.commande alter column montant_total type core.somme,
  add constraint commande_pressing_total_positif check (montant_total >= 0);
comment on constraint commande_pressing_total_positif on pressing.commande is 'Le total d''une commande ne peut pas être négatif.';

alter table restaurant.commande alter column total type core.somme,
  add constraint commande_restaurant_total_positif check (total >= 0);
comment on constraint commande_restaurant_total_positif on restaurant.commande is 'Le total d''une commande ne peut pas être négatif.';

alter table residence.sejour_court alter column montant_total type core.somme,
  add constraint sejour_total_positif check (montant_total >= 0);
comment on constraint sejour_total_positif on residence.sejour_court is 'Le total d''un séjour ne peut pas être négatif.';

alter table rh.paie
  drop constraint paie_payee_sans_paiement,
  drop column montant_a_payer,
  alter column total_elements type core.somme,
  alter column total_retenues type core.somme,
  add column montant_a_payer core.somme not null
    generated always as (salaire_base + total_elements - total_retenues) stored,
  add constraint paie_payee_sans_paiement check (statut <> 'PAYEE' or id_paiement is not null or montant_a_payer = 0);
comment on column rh.paie.montant_a_payer is 'Net : salaire_base + total_elements − total_retenues ; jamais négatif.';
comment on constraint paie_payee_sans_paiement on rh.paie is 'Un bulletin payé a son paiement, sauf si son net est nul.';
