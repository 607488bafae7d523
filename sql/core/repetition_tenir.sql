-- A writer that waits for one rehearsal would otherwise wait for the next one as well.
create function core.repetition_tenir() returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
return pg_advisory_xact_lock(core._verrou('REPETITION'), 0);
comment on function core.repetition_tenir is 'Attend qu''aucune autre répétition n''écrive, et garde cette place jusqu''à la fin de la transaction.';
