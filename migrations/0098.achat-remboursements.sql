-- Suppliers give money back, as an expense and a payment below zero, and rebates on goods that stay. The tax of a
-- bill stays that of its paid share when a payment is cancelled. Entries of the accountant may be of an activity.
-- depends: 0097.finances-hors-ligne
-- squawk-ignore-file changing-column-type, constraint-missing-not-valid -- the table is written again: expenses are few beside payments
-- squawk-ignore-file adding-foreign-key-constraint, require-concurrent-index-creation -- the column of the few entries is null in each row
-- squawk-ignore-file ban-drop-constraint -- the new one allows more rows than the old one

alter table finances.depense alter column montant type core.montant_signe,
  add constraint depense_nulle check (montant <> 0);
comment on column finances.depense.montant is
  'Somme sortie, deux décimales, dans la monnaie de l''organisation ; plus petite que zéro, ce qu''un fournisseur rend.';
comment on constraint depense_nulle on finances.depense is 'Le montant n''est pas zéro.';

alter table achat.paiement drop constraint paiement_d_achat_negatif, drop constraint paiement_d_achat_sans_depense,
  add constraint paiement_d_achat_sans_depense check ((montant <> 0) = (id_depense is not null));
comment on constraint paiement_d_achat_sans_depense on achat.paiement is 'L''argent d''un paiement passe par une dépense.';
comment on table achat.paiement is
  'Paiement d''une ou de plusieurs factures d''un fournisseur, ou ce qu''il rend. Son argent passe par une dépense, aux règles des caisses ; supprimer cette dépense l''annule.';
comment on column achat.paiement.montant is
  'Somme de ce qu''il règle ; 0 quand un avoir paie tout, plus petit que zéro quand le fournisseur rend de l''argent.';
comment on column achat.paiement.id_depense is
  'Dépense qui a sorti l''argent, ou l''a rentré en négatif ; null quand un avoir paie tout.';
comment on column achat.application.montant is
  'Plus petit que zéro : ce qu''il prend de ce que le fournisseur doit sur cette facture.';

comment on column achat.avoir_ligne.quantite is 'Quantité rendue, null d''une dépense ou d''un rabais.';
comment on column achat.avoir_ligne.id_mouvement is
  'Mouvement de stock : sortie des articles rendus, ou correction du coût de ceux qui restent ; null d''une dépense.';

comment on column achat.avoir.jour is
  'Date de gestion : le jour de la saisie si des marchandises repartent ou si le mois de sa date est clôturé, sinon sa date.';
comment on column market.mouvement_stock.jour is
  'Date de gestion : celle de la facture ou de la réception d''achat, sinon le jour du mouvement ; null d''un mouvement d''avant le coût moyen. Posée par un déclencheur.';

alter table achat.taxe_deduite add column annulation boolean not null default false;
comment on column achat.taxe_deduite.annulation is
  'Vrai de l''arrondi qu''écrit l''annulation d''un paiement, du jour de celui-ci : ses autres déductions ne comptent plus.';

alter table compta.operation
  add column id_activite bigint constraint operation_activite_inconnue references core.activite;
create index operation_id_activite on compta.operation (id_activite) where id_activite is not null;
comment on column compta.operation.id_activite is 'Activité dont elle est, null de la maison entière.';
comment on constraint operation_activite_inconnue on compta.operation is 'Cette activité n''existe pas.';
