create function jobs.signaler_retards() returns integer
language sql volatile security definer set search_path = pg_catalog, pg_temp
return evenement._retards_signaler();
comment on function jobs.signaler_retards is
  'Écrit l''événement echeance.en_retard de chaque échéance impayée le lendemain du jour où elle est due, une fois par échéance ; rend leur nombre.';
