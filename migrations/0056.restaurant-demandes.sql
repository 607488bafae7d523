-- Requests from the portal: orders of the restaurant, and incidents.
-- The new label of an enum cannot be used before the commit (docs/decisions/0054-demandes.md). Plain types: a column of a
-- domain with a rule would rewrite the table. The parameters of the operations have the domains.
-- depends: 0055.market-demandes

alter type restaurant.statut_commande add value 'EN_ATTENTE' before 'EN_COURS';
comment on type restaurant.statut_commande is
  'État d''une commande. EN_ATTENTE : demandée dans l''espace client, la cuisine ne la commence pas.';
alter table restaurant.commande
  add column origine core.origine not null default 'COMPTOIR',
  add column adresse_livraison text,
  add column notes text,
  add column motif_annulation text;
-- No order breaks this rule yet: none comes from the portal.
alter table restaurant.commande
  add constraint livraison_sans_adresse check (
    type <> 'LIVRAISON' or origine = 'COMPTOIR' or adresse_livraison is not null and adresse_livraison ~ '\S') not valid;
comment on table restaurant.commande is
  'Commande du restaurant : payée quand elle est passée au comptoir ; demandée dans l''espace client, acceptée puis encaissée.';
comment on column restaurant.commande.origine is 'PORTAIL : demandée par le client dans son espace.';
comment on column restaurant.commande.adresse_livraison is 'Où livrer une commande de l''espace client.';
comment on column restaurant.commande.notes is 'Ce que le client ajoute à sa demande.';
comment on column restaurant.commande.motif_annulation is 'Pourquoi la commande est annulée, ou la demande refusée ; le client le voit.';
comment on constraint livraison_sans_adresse on restaurant.commande is 'Une livraison demande une adresse.';

-- A new label could not be inserted before the commit, so the type is replaced: the table has one row for each category.
-- squawk-ignore-file changing-column-type, renaming-object, ban-drop-type -- the code that reads it is replaced as well
alter type auth.categorie_depot rename to categorie_depot_ancienne;
create type auth.categorie_depot as enum
  ('client-photo', 'piece-identite', 'plat-photo', 'etat-lieux', 'produit-photo', 'signalement-photo');
comment on type auth.categorie_depot is 'Catégorie d''un fichier déposé : ce qui précède la barre de sa clé.';
alter table auth.depot alter column categorie type auth.categorie_depot using categorie::text::auth.categorie_depot;
drop type auth.categorie_depot_ancienne;
insert into auth.depot (categorie, domaine) values ('signalement-photo', 'SIGNALEMENT');

alter table signalement.signalement
  add column id_client bigint,
  add column lieu text;
alter table signalement.signalement
  add constraint signalement_client_inconnu foreign key (id_client) references client.client not valid;
-- squawk-ignore require-concurrent-index-creation -- the reports of a business are few
create index signalement_id_client on signalement.signalement (id_client, date_signalement desc, id_signalement desc);
comment on column signalement.signalement.id_client is 'Client qui signale dans son espace, null pour le personnel.';
comment on column signalement.signalement.lieu is 'Où, dans les mots du client.';
comment on constraint signalement_client_inconnu on signalement.signalement is 'Ce client n''existe pas.';

-- The portal reads these tables: sql/politiques.sql names the rows that it sees.
alter table restaurant.commande enable row level security;
alter table restaurant.commande_ligne enable row level security;
alter table signalement.signalement enable row level security;
alter table signalement.photo enable row level security;
