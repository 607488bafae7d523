-- The journal in parts, one a month, so that a write maintains few indexes however long the journal is.
-- depends: 0020.audit-sceau 0026.core-commentaires 0042.rh-sortie
--
-- audit.journal_debut   what was written before this migration: the former table, under another name
-- audit.journal_2026_11 a month, in UTC (sql/audit/_parties.sql says when it is closed)
-- audit.journal_suite   everything after the last month. It is empty unless the periodic job that makes the months
--                       (app/database/months.py) has not run for a month; then the rows go there, and no write fails.
--
-- No row is copied. The former table keeps its indexes and is read once, to check its bound: about a second for a
-- million entries. The other statements take no time.

-- Only the code names these objects, and it is loaded after them.
-- squawk-ignore renaming-table
alter table audit.journal rename to journal_debut;
-- Identity columns of partitioned tables exist only since PostgreSQL 17, so the column gets a sequence as its default.
-- The sequence goes on after the last identifier given, which a seal may have found unused.
create sequence audit.journal_suivant_seq;
do $$
declare
  v_index text;
begin
  perform setval('audit.journal_suivant_seq', s.last_value, s.is_called) from audit.journal_id_trace_seq s;
  for v_index in
    select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'audit.journal_debut'::regclass
  loop
    execute format('alter index audit.%I rename to %I', v_index, replace(v_index, 'journal', 'journal_debut'));
  end loop;
end $$;
-- squawk-ignore ban-alter-identity
alter table audit.journal_debut alter column id_trace drop identity;
-- squawk-ignore renaming-object
alter sequence audit.journal_suivant_seq rename to journal_id_trace_seq;
alter table audit.journal_debut alter column id_trace set default nextval('audit.journal_id_trace_seq');
create table audit.journal (like audit.journal_debut including defaults including comments) partition by range (date_heure);
alter sequence audit.journal_id_trace_seq owned by audit.journal.id_trace;

-- An open month has one index for the order of the list and one for the ranges of the seal. New entries go to the right
-- end of both, which is why the first one is read backwards.
-- The filters of the list have one summary of groups of pages, which PostgreSQL makes when a group is full.
create table audit.journal_suite (
  like audit.journal including defaults including comments,
  constraint journal_suite_pkey primary key (id_trace)
);
create index journal_suite_date_heure on audit.journal_suite (date_heure, id_trace);
create index journal_suite_filtres on audit.journal_suite using brin
  (entite_id text_bloom_ops, entite text_bloom_ops, module text_bloom_ops, id_utilisateur int8_bloom_ops)
  with (pages_per_range = 32, autosummarize = on);
-- A filter is answered from the summary when PostgreSQL expects few entries. It would expect as many from an author who
-- wrote nothing as from the average one, so it is told that there are many authors.
alter table audit.journal_suite alter column id_utilisateur set (n_distinct = -0.01);
-- It cannot be told so of an expression.
create index journal_suite_adresse_ip on audit.journal_suite (host(adresse_ip), date_heure, id_trace);
create index journal_suite_suppression on audit.journal_suite (date_heure, id_trace) where operation = 'DELETE';

do $$
declare
  v_debut timestamptz;
  v_fin timestamptz;
  v_mois text;
begin
  -- No other session writes during an upgrade, so every entry is older than this instant, or is the newest one.
  select greatest(clock_timestamp(), max(j.date_heure) + interval '1 microsecond') into v_debut from audit.journal_debut j;
  execute format('alter table audit.journal attach partition audit.journal_debut for values from (minvalue) to (%L)', v_debut);
  for v in 1 .. 2 loop
    v_fin := (date_trunc('month', v_debut at time zone 'UTC') + interval '1 month') at time zone 'UTC';
    v_mois := to_char(v_debut at time zone 'UTC', '"journal_"YYYY_MM');
    execute format('create table audit.%I (like audit.journal_suite including all)', v_mois);
    execute format('alter table audit.journal attach partition audit.%I for values from (%L) to (%L)', v_mois, v_debut, v_fin);
    execute format('alter table audit.%I alter column id_utilisateur set (n_distinct = -0.01)', v_mois);
    execute format('comment on table audit.%I is %L', v_mois, 'Journal du mois, en UTC.');
    v_debut := v_fin;
  end loop;
  execute format('alter table audit.journal attach partition audit.journal_suite for values from (%L) to (maxvalue)', v_debut);
end $$;

comment on table audit.journal is 'Une ligne par ligne écrite : qui, quand, d''où, avant et après. Les secrets y sont masqués à l''écriture. Une partie par mois, en UTC.';
comment on column audit.journal.id_trace is 'Numéro de l''entrée, dans l''ordre des écritures.';
comment on table audit.journal_debut is 'Journal d''avant les parties mensuelles.';
comment on table audit.journal_suite is 'Journal d''après le dernier mois créé.';
