create function jobs.sceller() returns audit.scellement
language sql volatile security definer set search_path = pg_catalog, pg_temp
return audit._sceller();
comment on function jobs.sceller() is
  'Scelle le journal, les factures et les paiements, comme toutes les dix minutes, et rend le dernier sceau.';
call core.peut_refuser('jobs.sceller', 'ISOLATION_IMPREVUE');
