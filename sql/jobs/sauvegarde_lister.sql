create type jobs.sauvegarde_page as (total integer, items jobs.sauvegarde_vue[]);
comment on type jobs.sauvegarde_page is 'Une page des sauvegardes, les dernières d''abord, et combien il y en a.';

create function jobs.sauvegarde_lister(p_limit core.limite default 1000, p_offset core.decalage default 0)
returns jobs.sauvegarde_page
language sql stable security definer set search_path = pg_catalog, pg_temp
return row(
  (select count(*) from jobs.sauvegarde),
  array(select s from jobs.sauvegarde_vue s order by s.id_sauvegarde desc limit p_limit offset p_offset)
)::jobs.sauvegarde_page;
comment on function jobs.sauvegarde_lister is 'Sauvegardes, les dernières d''abord, et leur nombre.';
