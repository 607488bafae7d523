-- By default PUBLIC may execute functions of PostgreSQL that lock, or write: a user with read access could stop the
-- service with them. Only a superuser can revoke this, in each database. `comptoir migrate` runs this file where its
-- account is a superuser. Elsewhere the administrator of the server runs it once, and again in a database made by a
-- restore. A dump contains these revocations. So the list leaves out functions that another version of PostgreSQL
-- lacks, or has with other arguments: otherwise pg_restore or pg_upgrade to that version would fail.

do $$
declare
  v_fonction record;
begin
  for v_fonction in
    select p.oid::regprocedure as signature, p.proname as nom from pg_catalog.pg_proc p
     where p.pronamespace = 'pg_catalog'::regnamespace
       and (p.proname ~ '^pg_(try_)?advisory_(?!unlock_all)' or p.proname ~ '^lo_'
            or p.proname in ('loread', 'lowrite', 'pg_export_snapshot'))
  loop
    execute format('revoke execute on function %s from public', v_fonction.signature);
    -- Locks order the changes of a till. `comptoir migrate`, a backup and a restore exclude each other with them.
    if v_fonction.nom ~ 'advisory' then
      execute format('grant execute on function %s to comptoir_owner, comptoir_code', v_fonction.signature);
    end if;
  end loop;
end $$;
-- It releases locks of its own session alone. asyncpg calls it whenever a connection returns to its pool.
grant execute on function pg_catalog.pg_advisory_unlock_all() to public;
-- pg_dump --jobs needs it.
grant execute on function pg_catalog.pg_export_snapshot() to comptoir_owner;

-- It writes to the WAL, in a transaction that only reads too. The API and the deliveries of webhooks wait for the disk
-- with it. It has another signature before PostgreSQL 17, where the revocation would stop pg_upgrade.
do $$
begin
  if current_setting('server_version_num')::integer >= 170000 then
    revoke execute on function pg_catalog.pg_logical_emit_message(boolean, text, text, boolean) from public;
    revoke execute on function pg_catalog.pg_logical_emit_message(boolean, text, bytea, boolean) from public;
    grant execute on function pg_catalog.pg_logical_emit_message(boolean, text, text, boolean)
      to comptoir_app, comptoir_code;
  end if;
end $$;
