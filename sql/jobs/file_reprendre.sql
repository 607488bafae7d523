create type jobs.reprise as (id bigint, tache text, issue text);
comment on type jobs.reprise is 'Tâche laissée en cours par un travailleur disparu.';
comment on column jobs.reprise.issue is 'retried : remise en file ; failed : c''était sa dernière tentative.';

-- Skips locked rows: another worker is taking back or ending this job.
create function jobs.file_reprendre(p_silence integer, p_tentatives integer) returns setof jobs.reprise
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v record;
begin
  for v in
    select j.id, j.task_name, j.attempts + 1 >= p_tentatives as derniere
      from queue.procrastinate_jobs j
     where j.status = 'doing'
       and not exists (select from queue.procrastinate_workers w
                        where w.id = j.worker_id and w.last_heartbeat >= now() - make_interval(secs => p_silence))
     order by j.id for update skip locked
  loop
    -- The process that runs a job holds its lock (jobs.tache_tenir). A worker without a heartbeat may still be running.
    if pg_try_advisory_xact_lock(jobs._verrou(v.id)) then
      perform jobs._reprendre(v.id, v.derniere);
      return next (v.id, v.task_name, case when v.derniere then 'failed' else 'retried' end)::jobs.reprise;
    end if;
  end loop;
end $$;
comment on function jobs.file_reprendre is
  'Reprend les tâches des travailleurs qui n''ont plus donné signe de vie depuis tant de secondes, et que personne n''exécute : elles repartent, ou échouent si toutes leurs tentatives sont faites.';
