-- An application has a day of its own when it came after its payment: the tax of an invoice is then due on this day, and
-- never in a month that is closed and declared.
-- depends: 0099.core-catalogues-renommes
alter table finances.application_paiement add column jour date;
comment on column finances.application_paiement.jour is
  'Jour où l''excédent d''un paiement a été appliqué ; null d''une part écrite avec son paiement, et d''une d''avant la mise à jour.';
