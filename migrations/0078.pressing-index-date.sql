-- The lists of the staff are sorted by the day of the deposit, or of the request until then.
-- depends: 0077.pressing-date-demande
-- transactional: false
set lock_timeout = 0;
drop index concurrently if exists pressing.commande_date;
create index concurrently commande_date on pressing.commande (coalesce(date_depot, date_demande) desc, id_commande desc);
drop index concurrently if exists pressing.commande_date_statut;
create index concurrently commande_date_statut
  on pressing.commande (statut, coalesce(date_depot, date_demande) desc, id_commande desc);
drop index concurrently if exists pressing.commande_date_client;
create index concurrently commande_date_client
  on pressing.commande (id_client, coalesce(date_depot, date_demande) desc, id_commande desc);
drop index concurrently if exists pressing.commande_date_depot;
drop index concurrently if exists pressing.commande_statut;
drop index concurrently if exists pressing.commande_id_client;
