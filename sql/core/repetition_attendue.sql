create function core.repetition_attendue() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return exists (
  select from pg_locks w
    join pg_locks r on r.pid = any (pg_blocking_pids(w.pid))
   where not w.granted and (w.locktype, w.classid) is distinct from ('advisory', core._verrou('REPETITION')::oid)
     and r.granted and r.locktype = 'advisory' and r.classid = core._verrou('REPETITION')::oid
     and r.database = (select d.oid from pg_database d where d.datname = current_database()));
comment on function core.repetition_attendue is 'Vrai si une écriture attend celle d''une répétition en cours.';
