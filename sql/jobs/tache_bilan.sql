-- Counted from the queue's own events, so that the answer is the same whichever process asks and whichever ran the jobs.

create type jobs.bilan as (tache text, issue text, nombre bigint);
comment on type jobs.bilan is 'Nombre de tentatives d''une tâche qui ont eu la même issue.';
comment on column jobs.bilan.issue is 'succeeded : réussie ; retried : échouée, elle sera reprise ; failed : échouée pour de bon.';

create function jobs.tache_bilan() returns setof jobs.bilan
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
  select j.task_name::text,
         case e.type when 'succeeded' then 'succeeded' when 'deferred_for_retry' then 'retried' else 'failed' end,
         count(*)
    from queue.procrastinate_events e
    join queue.procrastinate_jobs j on j.id = e.job_id
   where e.type in ('succeeded', 'deferred_for_retry', 'failed', 'aborted')
   group by 1, 2 order by 1, 2;
end $$;
comment on function jobs.tache_bilan() is 'Tentatives achevées de chaque tâche, par issue, depuis le début.';
