-- PostgreSQL lets everybody execute functions that lock, or write: whoever may read could stop the service with them.
-- Only a superuser takes that away, in each database. `comptoir migrate` runs this file where its account is one;
-- elsewhere the server's administrator runs it, once, and again in the database that a restoration made.
-- A dump carries these revocations: a function that another version lacks, or has with other arguments, stays out, or
-- neither pg_restore nor pg_upgrade could bring the database to that version.

do $$
declare
  v_fonction record;
begin
  for v_fonction in
    select p.oid::regprocedure as signature, p.proname as nom from pg_catalog.pg_proc p
     where p.pronamespace = 'pg_catalog'::regnamespace
       and (p.proname ~ '^pg_(try_)?advisory_' or p.proname ~ '^lo_'
            or p.proname in ('loread', 'lowrite', 'pg_export_snapshot'))
  loop
    execute format('revoke execute on function %s from public', v_fonction.signature);
    -- The code orders what happens to a till by such locks; comptoir migrate, a backup and a restore exclude each other.
    if v_fonction.nom ~ 'advisory' then
      execute format('grant execute on function %s to comptoir_owner, comptoir_code', v_fonction.signature);
    end if;
  end loop;
end $$;
-- pg_dump --jobs asks for it.
grant execute on function pg_catalog.pg_export_snapshot() to comptoir_owner;
