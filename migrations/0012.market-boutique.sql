-- The shop: catalogue, stock movements, sales. A movement is never changed; the stock follows from movements alone.
-- depends: 0008.jobs-file

create schema market;
comment on schema market is 'Boutique : produits, fournisseurs, mouvements de stock, ventes.';

create type market.type_mouvement as enum ('ENTREE', 'SORTIE', 'AJUSTEMENT');
comment on type market.type_mouvement is 'Nature d''un mouvement de stock.';
create type market.statut_vente as enum ('EN_COURS', 'PAYEE', 'ANNULEE');
comment on type market.statut_vente is 'État d''une vente.';

create domain market.stock as numeric(12,2)
  constraint stock_positif check (value >= 0);
comment on domain market.stock is 'Quantité en stock ou seuil, deux décimales, zéro ou plus.';
comment on constraint stock_positif on domain market.stock is 'Une quantité en stock ne peut pas être négative.';

create domain market.quantite_signee as numeric(12,2);
comment on domain market.quantite_signee is 'Quantité signée, deux décimales ; un texte dans les réponses.';

create table market.categorie_produit (
  id_categorie_produit bigint generated always as identity constraint categorie_produit_pkey primary key,
  libelle core.libelle not null constraint categorie_produit_existante unique,
  actif boolean not null default true
);
comment on table market.categorie_produit is 'Catégorie de produits ; désactivée, elle sort des listes.';
comment on constraint categorie_produit_existante on market.categorie_produit is 'Une catégorie, active ou non, porte déjà ce libellé.';

create table market.fournisseur (
  id_fournisseur bigint generated always as identity constraint fournisseur_pkey primary key,
  nom core.libelle not null,
  contact core.libelle,
  telephone core.telephone,
  email core.email,
  adresse core.texte,
  actif boolean not null default true
);
create index fournisseur_nom on market.fournisseur (nom, id_fournisseur);
comment on table market.fournisseur is 'Fournisseur ; désactivé, il sort des listes.';
comment on column market.fournisseur.contact is 'Personne à joindre.';

create table market.produit (
  id_produit bigint generated always as identity constraint produit_pkey primary key,
  reference text not null constraint reference_produit_existante unique,
  nom core.libelle not null,
  id_categorie_produit bigint constraint produit_categorie_inconnue references market.categorie_produit,
  prix_achat core.montant not null,
  prix_vente core.montant not null,
  quantite_stock market.stock not null default 0,
  seuil_alerte market.stock not null default 0,
  id_fournisseur bigint constraint produit_fournisseur_inconnu references market.fournisseur,
  date_entree date,
  actif boolean not null default true,
  image_url core.cle_objet
) with (fillfactor = 85);
create index produit_nom on market.produit (nom, id_produit);
create index produit_id_categorie_produit on market.produit (id_categorie_produit);
create index produit_id_fournisseur on market.produit (id_fournisseur);
comment on table market.produit is 'Produit de la boutique.';
comment on column market.produit.reference is 'Référence <ORG>-REF-<NNN>, donnée par la base.';
comment on column market.produit.quantite_stock is 'Somme des mouvements, tenue par des déclencheurs ; personne d''autre ne l''écrit.';
comment on column market.produit.seuil_alerte is 'Le produit est en alerte quand son stock est strictement sous ce seuil.';
comment on column market.produit.date_entree is 'Jour d''entrée au catalogue.';
comment on column market.produit.image_url is 'Clé de la photo déposée.';
comment on constraint reference_produit_existante on market.produit is 'Un produit porte déjà cette référence.';
comment on constraint produit_categorie_inconnue on market.produit is 'Cette catégorie de produits n''existe pas.';
comment on constraint produit_fournisseur_inconnu on market.produit is 'Ce fournisseur n''existe pas.';

create table market.vente (
  id_vente bigint generated always as identity constraint vente_pkey primary key,
  date timestamptz not null default now(),
  id_client bigint constraint vente_client_inconnu references client.client,
  remise core.montant not null default 0,
  total core.montant not null default 0,
  statut market.statut_vente not null default 'EN_COURS',
  id_utilisateur bigint constraint vente_utilisateur_inconnu references auth.utilisateur
) with (fillfactor = 85);
create index vente_date on market.vente (date desc, id_vente desc);
create index vente_id_client on market.vente (id_client);
create index vente_id_utilisateur on market.vente (id_utilisateur, date desc, id_vente desc);
comment on table market.vente is 'Vente au comptoir : payée quand elle est faite, annulée en entier ou pas du tout.';
comment on column market.vente.remise is 'Remise accordée, ramenée à la somme des lignes si elle la dépasse.';
comment on column market.vente.total is 'Somme des lignes moins la remise, tenue par un déclencheur.';
comment on constraint vente_client_inconnu on market.vente is 'Ce client n''existe pas.';

create table market.vente_ligne (
  id_ligne bigint generated always as identity constraint vente_ligne_pkey primary key,
  id_vente bigint not null constraint ligne_vente_inconnue references market.vente deferrable initially deferred,
  id_produit bigint not null constraint vente_produit_inconnu references market.produit,
  quantite core.quantite not null,
  prix_unitaire core.montant not null,
  prix_achat core.montant not null,
  total_ligne numeric(14,2) not null generated always as (round(quantite * prix_unitaire, 2)) stored
);
create index vente_ligne_id_vente on market.vente_ligne (id_vente);
create index vente_ligne_id_produit on market.vente_ligne (id_produit);
comment on table market.vente_ligne is 'Ligne d''une vente, écrite juste avant elle : sa clé étrangère se vérifie à la fin de la transaction.';
comment on column market.vente_ligne.prix_unitaire is 'Prix de vente du produit au moment de la vente.';
comment on column market.vente_ligne.prix_achat is 'Prix d''achat du produit au moment de la vente, pour la marge.';
comment on constraint ligne_vente_inconnue on market.vente_ligne is 'Cette vente n''existe pas.';
comment on constraint vente_produit_inconnu on market.vente_ligne is 'Ce produit n''existe pas.';

create table market.mouvement_stock (
  id_mouvement bigint generated always as identity constraint mouvement_stock_pkey primary key,
  id_produit bigint not null constraint mouvement_produit_inconnu references market.produit,
  date timestamptz not null default now(),
  type market.type_mouvement not null,
  quantite market.quantite_signee not null,
  delta numeric(12,2) not null generated always as (case type when 'SORTIE' then -quantite else quantite end) stored,
  stock_resultant market.stock not null,
  motif core.texte,
  document_ref core.libelle,
  id_vente bigint constraint mouvement_vente_inconnue references market.vente,
  id_utilisateur bigint constraint mouvement_utilisateur_inconnu references auth.utilisateur,
  constraint quantite_du_mouvement check (quantite > 0 or type = 'AJUSTEMENT' and quantite <> 0)
);
create index mouvement_stock_date on market.mouvement_stock (date desc, id_mouvement desc);
create index mouvement_stock_id_produit on market.mouvement_stock (id_produit) include (delta);
create index mouvement_stock_id_vente on market.mouvement_stock (id_vente) where id_vente is not null;
create index mouvement_stock_id_utilisateur on market.mouvement_stock (id_utilisateur);
comment on table market.mouvement_stock is 'Entrée, sortie ou ajustement du stock d''un produit. Ne change jamais ; une erreur se corrige par un autre mouvement.';
comment on column market.mouvement_stock.quantite is 'Positive ; signée pour un AJUSTEMENT.';
comment on column market.mouvement_stock.delta is 'Ce que le mouvement ajoute au stock.';
comment on column market.mouvement_stock.stock_resultant is 'Stock du produit après ce mouvement, posé par un déclencheur.';
comment on column market.mouvement_stock.document_ref is 'Pièce qui justifie le mouvement, par exemple un bon de livraison.';
comment on column market.mouvement_stock.id_vente is 'Vente qui fait sortir le produit, ou dont l''annulation le fait rentrer.';
comment on constraint quantite_du_mouvement on market.mouvement_stock is 'La quantité est plus grande que zéro, ou différente de zéro pour un AJUSTEMENT.';
comment on constraint mouvement_produit_inconnu on market.mouvement_stock is 'Ce produit n''existe pas.';
comment on constraint mouvement_vente_inconnue on market.mouvement_stock is 'Cette vente n''existe pas.';
