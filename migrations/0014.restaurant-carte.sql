-- The restaurant: its menu and its orders, paid in full when they are placed.
-- depends: 0008.jobs-file

create schema restaurant;
comment on schema restaurant is 'Restaurant : carte et commandes.';

create type restaurant.type_commande as enum ('SUR_PLACE', 'A_EMPORTER', 'LIVRAISON');
comment on type restaurant.type_commande is 'Où la commande se mange.';
create type restaurant.statut_commande as enum ('EN_COURS', 'EN_PREPARATION', 'SERVIE', 'PAYEE', 'ANNULEE');
comment on type restaurant.statut_commande is 'État d''une commande.';

create table restaurant.categorie_plat (
  id_categorie_plat bigint generated always as identity constraint categorie_plat_pkey primary key,
  libelle core.libelle not null constraint categorie_plat_existante unique
);
comment on table restaurant.categorie_plat is 'Catégorie de plats.';
comment on constraint categorie_plat_existante on restaurant.categorie_plat is 'Une catégorie de plats porte déjà ce libellé.';

create table restaurant.plat (
  id_plat bigint generated always as identity constraint plat_pkey primary key,
  nom core.libelle not null,
  id_categorie_plat bigint constraint plat_categorie_inconnue references restaurant.categorie_plat,
  prix core.montant not null,
  disponible boolean not null default true,
  description core.texte,
  image_url core.cle_objet
);
create index plat_nom on restaurant.plat (nom, id_plat);
create index plat_id_categorie_plat on restaurant.plat (id_categorie_plat);
comment on table restaurant.plat is 'Plat de la carte.';
comment on column restaurant.plat.disponible is 'Un plat indisponible reste à la carte et ne se commande pas.';
comment on column restaurant.plat.image_url is 'Clé de la photo déposée.';
comment on constraint plat_categorie_inconnue on restaurant.plat is 'Cette catégorie de plats n''existe pas.';

create table restaurant.commande (
  id_commande bigint generated always as identity constraint commande_restaurant_pkey primary key,
  date timestamptz not null default now(),
  id_client bigint constraint commande_restaurant_client_inconnu references client.client,
  type restaurant.type_commande not null,
  total core.montant not null default 0,
  statut restaurant.statut_commande not null default 'EN_COURS',
  id_utilisateur bigint constraint commande_restaurant_utilisateur_inconnu references auth.utilisateur
) with (fillfactor = 85);
create index commande_restaurant_date on restaurant.commande (date desc, id_commande desc);
create index commande_restaurant_a_suivre on restaurant.commande (date desc, id_commande desc)
  where statut in ('EN_COURS', 'EN_PREPARATION', 'SERVIE');
create index commande_restaurant_id_client on restaurant.commande (id_client);
create index commande_restaurant_id_utilisateur on restaurant.commande (id_utilisateur);
comment on table restaurant.commande is 'Commande du restaurant, payée en entier quand elle est passée.';
comment on column restaurant.commande.total is 'Somme des lignes, tenue par un déclencheur.';
comment on constraint commande_restaurant_client_inconnu on restaurant.commande is 'Ce client n''existe pas.';

create table restaurant.commande_ligne (
  id_ligne bigint generated always as identity constraint commande_ligne_restaurant_pkey primary key,
  id_commande bigint not null constraint ligne_commande_restaurant_inconnue references restaurant.commande
                              deferrable initially deferred,
  id_plat bigint not null constraint commande_plat_inconnu references restaurant.plat,
  quantite core.nombre not null,
  prix_unitaire core.montant not null,
  total numeric(14,2) not null generated always as (round(quantite * prix_unitaire, 2)) stored
);
create index commande_ligne_restaurant_id_commande on restaurant.commande_ligne (id_commande);
create index commande_ligne_restaurant_id_plat on restaurant.commande_ligne (id_plat);
comment on table restaurant.commande_ligne is 'Ligne d''une commande, écrite juste avant elle : sa clé étrangère se vérifie à la fin de la transaction.';
comment on column restaurant.commande_ligne.prix_unitaire is 'Prix du plat au moment de la commande.';
comment on constraint ligne_commande_restaurant_inconnue on restaurant.commande_ligne is 'Cette commande n''existe pas.';
comment on constraint commande_plat_inconnu on restaurant.commande_ligne is 'Ce plat n''existe pas.';
