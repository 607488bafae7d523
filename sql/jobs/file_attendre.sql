-- A worker of many organisations asks this before it opens the queue of one.
create function jobs.file_attendre() returns double precision
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform jobs.webhook_differer();
  return (select extract(epoch from greatest(min(coalesce(j.scheduled_at, now())), now()) - now())
            from queue.procrastinate_jobs j where j.status = 'todo' having count(*) > 0);
end $$;
comment on function jobs.file_attendre is
  'Secondes avant la prochaine tâche de la file, 0 si l''une est due, null si aucune n''attend. Met d''abord en file les envois de webhooks.';
