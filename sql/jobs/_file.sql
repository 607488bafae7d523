-- The functions of the worker on the queue. core._differer queues a job. The functions of procrastinate need their
-- schema on the search path, so these helpers pin one, like core._differer. No other helper has a search_path.

create function jobs._verrou_de_file_lever(p_id bigint) returns void
language sql volatile
begin atomic
  update queue.procrastinate_jobs set queueing_lock = null where id = p_id and queueing_lock is not null;
end;
comment on function jobs._verrou_de_file_lever is
  'Laisse une autre tâche du même nom attendre en file : sans cela celle-ci ne pourrait y revenir pour une nouvelle tentative.';

create function jobs._reprendre(p_id bigint, p_derniere boolean) returns void
language plpgsql volatile set search_path = queue, pg_catalog, pg_temp as $$
begin
  perform jobs._verrou_de_file_lever(p_id);
  if p_derniere then
    perform queue.procrastinate_finish_job_v1(p_id, 'failed', false);
  else
    perform queue.procrastinate_retry_job_v2(p_id, now(), null, null, null);
  end if;
end $$;
comment on function jobs._reprendre is
  'Rend à la file une tâche que son travailleur a laissée en cours, ou la dit échouée si c''était sa dernière tentative.';

create function jobs._retirer(p_statut queue.procrastinate_job_status, p_age interval) returns bigint
language plpgsql volatile set search_path = queue, pg_catalog, pg_temp as $$
declare
  v_retirees bigint;
begin
  -- Deleting a job deletes its events. Within this one statement they can still be counted.
  with retirees as (
    delete from queue.procrastinate_jobs j
     where j.status = p_statut
       and not exists (select from queue.procrastinate_events e where e.job_id = j.id and e.at >= now() - p_age)
    returning j.id, j.task_name),
  comptees as (
    insert into jobs.total as t (tache, issue, nombre)
    select r.task_name, jobs._issue(e.type), count(*)
      from retirees r
      join queue.procrastinate_events e on e.job_id = r.id
     where jobs._issue(e.type) is not null
     group by 1, 2 order by 1, 2
    on conflict on constraint total_pkey do update set nombre = t.nombre + excluded.nombre)
  select count(*) into v_retirees from retirees;
  return v_retirees;
end $$;
comment on function jobs._retirer is 'Retire de la file les tâches d''un état et de cet âge, et garde leur compte.';

create function jobs._issue(p_type queue.procrastinate_job_event_type) returns text
language sql immutable
return case p_type when 'succeeded' then 'succeeded' when 'deferred_for_retry' then 'retried'
                   when 'failed' then 'failed' when 'aborted' then 'failed' end;
comment on function jobs._issue is 'Issue d''une tentative selon l''événement de la file, null avant la fin.';
