-- procrastinate schedules by UTC and forgets a missed run.
create function jobs.tache_echoir(p_taches text[], p_crons text[]) returns setof text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v record;
begin
  for v in
    select t.tache, t.cron from unnest(p_taches, p_crons) as t (tache, cron) order by t.tache
  loop
    continue when jobs._heure_manquee(v.tache, v.cron) is null;
    -- A job that still waits starts after this time. The check after the lock sees a job queued in the meantime.
    if not exists (select from queue.procrastinate_jobs j where j.task_name = v.tache and j.status = 'todo') then
      perform core._differer(v.tache, jsonb_build_object('timestamp', extract(epoch from now())::bigint), v.tache);
      return next v.tache;
    end if;
  end loop;
end $$;
comment on function jobs.tache_echoir is
  'Met en file les tâches périodiques dont la dernière heure due, dans le fuseau de l''organisation, n''a été vue par personne : une fois, quel que soit le nombre d''heures manquées et de travailleurs. Rend celles qui sont parties.';
