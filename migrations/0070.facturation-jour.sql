-- The invoices of a day: the ledger and the tax report read them by day, open and paid ones alike.
-- An index of every invoice would cost each settlement. Invoices come in the order of their days, so a summary of groups
-- of pages finds a day at no measurable cost. It keeps several intervals a group: an old invoice that is paid late, and
-- so moves to a new page, widens none.
-- depends: 0069.audit-passe
-- transactional: false
set lock_timeout = 0;
drop index concurrently if exists facturation.facture_jour;
create index concurrently facture_jour on facturation.facture using brin (jour date_minmax_multi_ops)
  with (pages_per_range = 32, autosummarize = on);
