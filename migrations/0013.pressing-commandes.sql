-- Laundry orders and their lines. Totals are the database's own; money is in the invoice of the order.
-- depends: 0008.jobs-file

create schema pressing;
comment on schema pressing is 'Pressing : commandes, de la dépose au retrait.';

create type pressing.statut_commande as enum ('DEPOSE', 'EN_TRAITEMENT', 'PRET', 'RETIRE', 'ANNULEE');
comment on type pressing.statut_commande is 'État d''une commande de pressing.';

create table pressing.commande (
  id_commande bigint generated always as identity constraint commande_pressing_pkey primary key,
  numero_commande text not null constraint numero_pressing_existant unique,
  id_client bigint not null constraint pressing_client_inconnu references client.client,
  date_depot timestamptz not null default now(),
  date_retrait_prevue date,
  date_retrait_reelle timestamptz,
  montant_total core.montant not null,
  statut pressing.statut_commande not null default 'DEPOSE',
  id_utilisateur bigint constraint pressing_utilisateur_inconnu references auth.utilisateur,
  constraint retrait_date check ((statut = 'RETIRE') = (date_retrait_reelle is not null))
);
create index commande_date_depot on pressing.commande (date_depot desc, id_commande desc);
create index commande_statut on pressing.commande (statut, date_depot desc, id_commande desc);
create index commande_id_client on pressing.commande (id_client, date_depot desc, id_commande desc);
create index commande_id_utilisateur on pressing.commande (id_utilisateur);
comment on table pressing.commande is 'Commande de pressing ; ce qui en est payé est sur sa facture.';
comment on column pressing.commande.numero_commande is 'Numéro CPR-<AAAA>-<NNNN>, sans trou, donné à la dépose.';
comment on column pressing.commande.date_retrait_prevue is 'Jour promis au client.';
comment on column pressing.commande.date_retrait_reelle is 'Moment où le client a repris son linge.';
comment on column pressing.commande.montant_total is 'Somme des lignes, tenue par un déclencheur.';
comment on column pressing.commande.id_utilisateur is 'Qui a reçu le linge.';
comment on constraint numero_pressing_existant on pressing.commande is 'Une commande porte déjà ce numéro.';
comment on constraint pressing_client_inconnu on pressing.commande is 'Ce client n''existe pas.';
comment on constraint retrait_date on pressing.commande is 'Une commande retirée, et elle seule, porte la date de son retrait.';

create table pressing.commande_ligne (
  id_ligne bigint generated always as identity constraint commande_ligne_pressing_pkey primary key,
  id_commande bigint not null
    constraint ligne_pressing_inconnue references pressing.commande deferrable initially deferred,
  type_vetement core.libelle not null,
  quantite core.nombre not null,
  prestation core.libelle not null,
  tarif core.montant not null,
  total numeric(14,2) not null generated always as (round(quantite * tarif, 2)) stored
);
create index commande_ligne_id_commande on pressing.commande_ligne (id_commande);
comment on table pressing.commande_ligne is 'Linge déposé, écrit juste avant sa commande : sa clé étrangère se vérifie à la fin de la transaction.';
comment on column pressing.commande_ligne.prestation is 'Ce qui est fait du linge, par exemple « Lavage et repassage ».';
comment on column pressing.commande_ligne.tarif is 'Prix d''une pièce.';
comment on column pressing.commande_ligne.total is 'quantite × tarif, arrondi à deux décimales.';
comment on constraint ligne_pressing_inconnue on pressing.commande_ligne is 'Cette commande n''existe pas.';
