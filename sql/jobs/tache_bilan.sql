-- The database counts, so that the answer is the same from every process.

create type jobs.bilan as (tache text, issue text, nombre bigint);
comment on type jobs.bilan is 'Nombre de tentatives d''une tâche qui ont eu la même issue.';
comment on column jobs.bilan.issue is 'succeeded : réussie ; retried : échouée, elle sera reprise ; failed : échouée pour de bon.';

create function jobs.tache_bilan() returns setof jobs.bilan
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select c.tache, c.issue, sum(c.nombre)::bigint
    from (select t.tache, t.issue, t.nombre from jobs.total t
          union all
          select j.task_name::text, jobs._issue(e.type), count(*)
            from queue.procrastinate_events e
            join queue.procrastinate_jobs j on j.id = e.job_id
           group by 1, 2) c
   where c.issue is not null
   group by 1, 2 order by 1, 2;
end;
comment on function jobs.tache_bilan is
  'Tentatives achevées de chaque tâche, par issue, depuis le début : celles de la file, celles que le ménage en a retirées, et les exécutions à la main.';
