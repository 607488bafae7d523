create function jobs._maintenant() returns timestamptz
language sql stable
return now();
comment on function jobs._maintenant is 'L''instant des tâches périodiques, le même pour tous les travailleurs.';

create function jobs._champ_convient(p_champ text, p_valeur integer, p_premiere integer default 0) returns boolean
language sql immutable
return case when p_champ = '*' then true
            when p_champ like '*/%' then (p_valeur - p_premiere) % substr(p_champ, 3)::integer = 0
            else p_valeur = p_champ::integer end;
comment on function jobs._champ_convient is 'Si une valeur convient à un champ de cron : *, */n, compté depuis la première valeur du champ, ou un nombre.';

-- Four years contain every date. The first matching day is nearly always recent, so the days are tried one by one.
create function jobs._heure_due(p_cron text, p_heure timestamp) returns timestamp
language plpgsql immutable as $$
declare
  c constant text[] := string_to_array(p_cron, ' ');
  v_jour date;
  v_instant timestamp;
begin
  for v_recul in 0 .. 1462 loop
    v_jour := p_heure::date - v_recul;
    continue when not jobs._champ_convient(c[3], extract(day from v_jour)::integer, 1)
               or not jobs._champ_convient(c[4], extract(month from v_jour)::integer, 1)
               or not jobs._champ_convient(c[5], extract(dow from v_jour)::integer);
    select max(v_jour + make_time(h, m, 0)) into v_instant
      from generate_series(0, 23) h, generate_series(0, 59) m
     where jobs._champ_convient(c[2], h) and jobs._champ_convient(c[1], m) and v_jour + make_time(h, m, 0) <= p_heure;
    if v_instant is not null then
      return v_instant;
    end if;
  end loop;
  return null;
end $$;
comment on function jobs._heure_due is
  'Dernière heure d''un cron (minute, heure, jour, mois, jour de semaine ; chacun *, */n ou un nombre), celle donnée comprise.';

-- PostgreSQL takes the second of the two instants of a time in the hour that comes twice in autumn.
create function jobs._instant_du(p_cron text, p_maintenant timestamptz, p_fuseau text) returns timestamptz
language sql stable
return (select case when (d.second - interval '1 hour') at time zone p_fuseau = d.heure
                     and (d.second > p_maintenant or split_part(p_cron, ' ', 2) not like '*%')
                    then d.second - interval '1 hour' else d.second end
          from (select h as heure, h at time zone p_fuseau as second
                  from jobs._heure_due(p_cron, p_maintenant at time zone p_fuseau) h) d);
comment on function jobs._instant_du is
  'Dernier instant d''un cron, celui donné compris. Dans l''heure qui revient à l''automne, un cron d''une heure fixe vient à la première fois, les autres aux deux.';

-- Locks the row of a due job in jobs.horloge: of two concurrent callers, the second sees the result of the first.
create function jobs._heure_manquee(p_tache text, p_cron text) returns timestamptz
language plpgsql volatile as $$
declare
  v_instant timestamptz := jobs._instant_du(p_cron, jobs._maintenant(), core.fuseau());
begin
  if not exists (select from jobs.horloge h where h.tache = p_tache) then
    -- A new job has missed no run: it starts with its next time.
    insert into jobs.horloge (tache, derniere) values (p_tache, v_instant)
    on conflict on constraint horloge_pkey do nothing;
    return null;
  end if;
  -- A time after tomorrow was written while the clock was wrong: the job would wait for it, for years perhaps.
  perform from jobs.horloge h
    where h.tache = p_tache and h.derniere < 'infinity'
      and h.derniere not between v_instant and jobs._maintenant() + interval '1 day'
    for update;
  return case when found then v_instant end;
end $$;
comment on function jobs._heure_manquee is
  'La dernière heure due d''une tâche périodique si rien ne s''en est chargé, sinon null. Plusieurs heures manquées n''en font qu''une.';
