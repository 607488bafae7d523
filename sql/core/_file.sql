-- The only function that queues a job. The functions of procrastinate need the search path that it pins.

create function core._differer(
  p_tache text, p_arguments jsonb default '{}', p_verrou text default null, p_file text default 'svc-jobs')
returns bigint
language plpgsql volatile set search_path = queue, pg_catalog, pg_temp as $$
begin
  -- The worker of many organisations reads these statistics, which PostgreSQL may publish ten seconds later.
  perform pg_stat_force_next_flush();
  return (queue.procrastinate_defer_jobs_v1(array[
    row(p_file, p_tache, 0, p_verrou, null, p_arguments, null)::queue.procrastinate_job_to_defer_v1]))[1];
end $$;
comment on function core._differer is
  'Met une tâche en file dans la transaction en cours : elle part au commit, et disparaît avec un retour en arrière. Les tâches d''un même verrou s''exécutent l''une après l''autre, dans l''ordre.';
