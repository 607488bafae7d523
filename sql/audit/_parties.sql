-- audit.journal is partitioned by the month of date_heure, in UTC. app/database/months.py creates the months and closes
-- them. An open month has only the indexes that a write can pay for. A month is closed once it is over and has the
-- indexes for reading. These are built in one transaction, which waits for every transaction that has written to the
-- month. A closed month therefore never changes: it can be archived, and its seal goes on holding.

create view audit.partie_vue as
select c.relname::text as nom,
       substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \('([^']+)'\)$$)::timestamptz as du,
       substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \('([^']+)'\)$$)::timestamptz as au,
       to_regclass(format('audit.%I', c.relname || '_entite')) is not null as fermee
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
 where i.inhparent = 'audit.journal'::regclass;
comment on view audit.partie_vue is 'Les parties du journal : une par mois, en UTC, celle d''avant les mois et celle d''après.';
comment on column audit.partie_vue.nom is 'Nom de la table, dans le schéma audit.';
comment on column audit.partie_vue.du is 'Premier instant, null pour la première partie.';
comment on column audit.partie_vue.au is 'Instant où commence la partie suivante, null pour la dernière.';
comment on column audit.partie_vue.fermee is 'Vrai d''un mois fini, qui a ses index de lecture : rien ne s''y écrit plus.';

-- A trigger on the whole table does not fire for a statement that names a part. A row trigger of a part does.
do $$
declare
  v_partie regclass;
begin
  for v_partie in
    select i.inhrelid from pg_inherits i where i.inhparent = 'audit.journal'::regclass
  loop
    execute format('create trigger t20_journal_fige before delete or truncate on %s
                    for each statement execute function audit._t20_registre_fige()', v_partie);
    execute format('create trigger t20_journal_efface before update on %s
                    for each row execute function audit._t20_journal_efface()', v_partie);
  end loop;
end $$;
