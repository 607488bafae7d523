-- The entries of the journal that name a client, by summaries of groups of pages, as journal_suite_filtres of migration
-- 0043: a write pays for no tree. A month that is created later copies the index of audit.journal_suite.
-- Two filters for 500 clients take 1.2 KB, so that a row of the index fits in its page, whatever the filters hold.
-- depends: 0071.audit-rectification

do $$
declare
  v_partie name;
begin
  for v_partie in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit.journal'::regclass
  loop
    execute format($i$create index %I on audit.%I using brin
        ((avant ->> 'id_client') text_bloom_ops (n_distinct_per_range = 500),
         (apres ->> 'id_client') text_bloom_ops (n_distinct_per_range = 500))
      with (pages_per_range = 32, autosummarize = on)$i$, v_partie || '_client', v_partie);
  end loop;
end $$;
