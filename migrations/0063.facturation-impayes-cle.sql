-- The order of unpaid invoices ends in their key, so that a page begins and ends in the index.
-- depends: 0061.auth-second-facteur
-- transactional: false
set lock_timeout = 0;
drop index concurrently if exists facturation.facture_impayee_cle;
create index concurrently facture_impayee_cle on facturation.facture (jour, numero, id_facture) where statut in ('IMPAYEE', 'PARTIELLE');
drop index concurrently if exists facturation.facture_impayee;
