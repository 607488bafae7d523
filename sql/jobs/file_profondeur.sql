create type jobs.profondeur as (statut text, nombre bigint);
comment on type jobs.profondeur is 'Nombre de tâches de la file dans un état.';

create function jobs.file_profondeur() returns setof jobs.profondeur
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
  select s.statut::text, count(j.id)
    from unnest(enum_range(null::queue.procrastinate_job_status)) as s (statut)
    left join queue.procrastinate_jobs j on j.status = s.statut
   group by s.statut order by s.statut;
end $$;
comment on function jobs.file_profondeur() is 'Tâches de la file par état, zéro compris.';
