create type jobs.profondeur as (statut text, nombre bigint);
comment on type jobs.profondeur is 'Nombre de tâches de la file dans un état.';

create function jobs.file_profondeur() returns setof jobs.profondeur
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select s.statut, count(j.id)
    from unnest(array_append(enum_range(null::queue.procrastinate_job_status)::text[], 'scheduled')) as s (statut)
    left join (select t.id, case when t.status = 'todo' and t.scheduled_at > statement_timestamp() then 'scheduled'
                                 else t.status::text end as statut
                 from queue.procrastinate_jobs t) j on j.statut = s.statut
   group by s.statut order by s.statut;
end;
comment on function jobs.file_profondeur is
  'Tâches de la file par état, zéro compris : todo attend un travailleur, scheduled attend son heure.';
