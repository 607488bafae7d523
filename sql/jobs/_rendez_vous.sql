create function jobs.heure_locale() returns timestamp
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return now() at time zone core.fuseau();
end $$;
comment on function jobs.heure_locale() is
  'L''heure qu''il est dans le fuseau de l''organisation : celle des tâches périodiques, la même pour tous les travailleurs.';

create function jobs._champ_convient(p_champ text, p_valeur integer) returns boolean
language sql immutable
return case when p_champ = '*' then true
            when p_champ like '*/%' then p_valeur % substr(p_champ, 3)::integer = 0
            else p_valeur = p_champ::integer end;
comment on function jobs._champ_convient(text, integer) is
  'Si une valeur convient à un champ de cron : *, */n ou un nombre.';

-- Four years contain every date, 29 February too. The last two matching days are enough: every time of the earlier day
-- is past.
create function jobs._heure_due(p_cron text, p_heure timestamp) returns timestamp
language sql immutable
begin atomic
  with champ as (
    select string_to_array(p_cron, ' ') as c),
  jour as (
    select p_heure::date - n as jour
      from champ, generate_series(0, 1462) n
     where jobs._champ_convient(c[3], extract(day from p_heure::date - n)::integer)
       and jobs._champ_convient(c[4], extract(month from p_heure::date - n)::integer)
       and jobs._champ_convient(c[5], extract(dow from p_heure::date - n)::integer)
     order by n limit 2),
  instant as (
    select j.jour + make_time(h, m, 0) as instant
      from champ, jour j, generate_series(0, 23) h, generate_series(0, 59) m
     where jobs._champ_convient(c[2], h) and jobs._champ_convient(c[1], m))
  select max(i.instant) from instant i where i.instant <= p_heure;
end;
comment on function jobs._heure_due(text, timestamp) is
  'Dernière heure d''un cron (minute, heure, jour, mois, jour de semaine ; chacun *, */n ou un nombre), celle donnée comprise.';

-- Locks the row of a due job in jobs.horloge: of two concurrent callers, the second sees the result of the first.
create function jobs._heure_manquee(p_tache text, p_cron text) returns timestamptz
language plpgsql volatile as $$
declare
  v_instant timestamptz := jobs._heure_due(p_cron, jobs.heure_locale()) at time zone core.fuseau();
  v_derniere timestamptz;
begin
  select h.derniere into v_derniere from jobs.horloge h where h.tache = p_tache;
  if not found then
    -- A new job has missed no run: it starts with its next time.
    insert into jobs.horloge (tache, derniere) values (p_tache, v_instant) on conflict on constraint horloge_pkey do nothing;
    return null;
  elsif v_derniere < v_instant then
    select h.derniere into v_derniere from jobs.horloge h where h.tache = p_tache for update;
  end if;
  return case when v_derniere < v_instant then v_instant end;
end $$;
comment on function jobs._heure_manquee(text, text) is
  'La dernière heure due d''une tâche périodique si rien ne s''en est chargé, sinon null. Plusieurs heures manquées n''en font qu''une.';
