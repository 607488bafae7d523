-- Indexes that cost each settlement more than they give. Payments of a till by day are read from their sums. No query
-- looks up the period of a payment without a till, the invoices of nobody, or those of one service: each of its sales
-- has its own invoice.
-- depends: 0042.rh-sortie
-- transactional: false
set lock_timeout = 0;
drop index concurrently if exists finances.paiement_id_caisse;

drop index concurrently if exists finances.paiement_de_periode;
create index concurrently paiement_de_periode on finances.paiement (id_periode) where id_periode is not null;
drop index concurrently if exists finances.paiement_id_periode;

drop index concurrently if exists facturation.facture_de_client;
create index concurrently facture_de_client on facturation.facture (id_client) where id_client is not null;
drop index concurrently if exists facturation.facture_id_client;

drop index concurrently if exists facturation.facture_de_source;
create index concurrently facture_de_source on facturation.facture (source_type, source_id)
  where source_type not in ('PRESTATION', 'AUTRE');
drop index concurrently if exists facturation.facture_source;
