-- The one door from SQL into the queue. procrastinate writes its names unqualified, so whoever calls it needs its schema
-- on the search path: this helper alone pins one, and so is the exception to « helpers have no search_path ».

create function jobs._differer(p_tache text, p_arguments jsonb default '{}', p_verrou text default null) returns bigint
language plpgsql volatile set search_path = queue, pg_catalog, pg_temp as $$
begin
  return (queue.procrastinate_defer_jobs_v1(array[
    row('svc-jobs', p_tache, 0, p_verrou, null, p_arguments, null)::queue.procrastinate_job_to_defer_v1]))[1];
end $$;
comment on function jobs._differer(text, jsonb, text) is
  'Met une tâche en file dans la transaction en cours : elle part au commit, et disparaît avec un retour en arrière. Les tâches d''un même verrou s''exécutent l''une après l''autre, dans l''ordre.';
