create function audit.sceller() returns audit.scellement
language sql volatile security definer set search_path = pg_catalog, pg_temp
return audit._sceller();
comment on function audit.sceller is
  'Scelle ce qui ne l''est pas encore du journal, des factures et des paiements, et rend le dernier sceau : gardée hors de la base, son empreinte prouve plus tard que rien d''avant n''a changé. Une seconde fois ne fait rien de plus.';
