create function jobs.heure_locale() returns timestamp
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return now() at time zone core.fuseau();
end $$;
comment on function jobs.heure_locale() is
  'L''heure qu''il est dans le fuseau de l''organisation : celle des tâches périodiques, la même pour tous les travailleurs.';

-- Locks the line of the job in jobs.horloge: of two workers that ask for the same hour, one is told yes.
create function jobs.tache_echoir(p_tache text, p_heure timestamp) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_instant timestamptz := p_heure at time zone core.fuseau();
  v_derniere timestamptz;
begin
  select h.derniere into v_derniere from jobs.horloge h where h.tache = p_tache;
  if not found then
    -- A job that nobody knew was not missed: it begins with its next hour.
    insert into jobs.horloge (tache, derniere) values (p_tache, v_instant) on conflict on constraint horloge_pkey do nothing;
    return false;
  elsif v_derniere >= v_instant then
    return false;
  end if;
  update jobs.horloge h set derniere = v_instant where h.tache = p_tache and h.derniere < v_instant;
  -- One that still waits will do: it starts after this hour.
  if not found or exists (select from queue.procrastinate_jobs j where j.task_name = p_tache and j.status = 'todo') then
    return false;
  end if;
  perform jobs._differer(p_tache, '{}', p_tache);
  return true;
end $$;
comment on function jobs.tache_echoir(text, timestamp) is
  'Met une tâche périodique en file pour sa dernière heure due, si cela n''a pas été fait : une fois, quel que soit le nombre d''heures manquées et de travailleurs. Rend vrai si elle est partie.';
