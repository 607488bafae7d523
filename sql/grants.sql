-- Every grant there is. Run before the code is loaded, so that it can be written, and after it, so that it can be run.
--
-- comptoir_code      owns functions, views and triggers; reads and writes tables, as listed here
-- comptoir_app       the API: may execute public operations, and nothing else
-- comptoir_lecture   people who read: may select the reporting views

do $$
declare
  v_schema regnamespace;
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to comptoir_app, comptoir_code, comptoir_lecture', current_database());
  for v_schema in
    select n.oid from pg_namespace n where n.nspowner = 'comptoir_owner'::regrole and n.nspname <> 'migration'
  loop
    execute format('grant usage, create on schema %s to comptoir_code', v_schema);
    execute format('grant usage on schema %s to comptoir_app', v_schema);
    execute format('grant select, insert, update, delete, trigger on all tables in schema %s to comptoir_code', v_schema);
    execute format('grant usage on all sequences in schema %s to comptoir_code', v_schema);
  end loop;
end $$;

-- Money and its traces are never rewritten: the code itself could not do it.
revoke delete, truncate on finances.paiement, finances.application_paiement, finances.depense, finances.tirage,
  finances.periode_caisse, facturation.facture, facturation.facture_ligne from comptoir_code;
revoke update on finances.application_paiement, finances.tirage from comptoir_code;
revoke update on finances.paiement from comptoir_code;
grant update (date, jour, id_moyen, motif, reference) on finances.paiement to comptoir_code;
revoke update, delete on audit.journal from comptoir_code;

-- The first run, before the code, has to make sure that PUBLIC never gets to execute what is about to be created.
alter default privileges for role comptoir_code revoke execute on functions from public;

-- A function is a public operation unless it is a helper (its name starts with _) or a trigger.
do $$
declare
  v_fonction regprocedure;
begin
  for v_fonction in
    select p.oid from pg_proc p
     where p.proowner = 'comptoir_code'::regrole and p.prosecdef and p.proname !~ '^_' and p.prorettype <> 'trigger'::regtype
  loop
    execute format('grant execute on function %s to comptoir_app', v_fonction);
  end loop;
end $$;
