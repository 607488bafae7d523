-- Invoices that are still due, by day: a page of GET /finances/impayes reads only its rows. Reports read the sums of
-- invoices by day, so the two indexes by day are not needed any more.
-- depends: 0045.facturation-resume
-- transactional: false
set lock_timeout = 0;
drop index concurrently if exists facturation.facture_impayee;
create index concurrently facture_impayee on facturation.facture (jour, numero) where statut in ('IMPAYEE', 'PARTIELLE');
drop index concurrently if exists facturation.facture_jour_activite;
drop index concurrently if exists facturation.facture_jour;
