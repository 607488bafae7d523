create function jobs.tache_compter(p_tache text, p_issue text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into jobs.total as t (tache, issue, nombre) values (p_tache, p_issue, 1)
  on conflict on constraint total_pkey do update set nombre = t.nombre + 1;
end $$;
comment on function jobs.tache_compter is 'Compte une exécution à la main, que la file ne connaît pas.';
