create view jobs.planification_vue as
select p.id_planification, p.frequence, p.heure, p.active, p.active as activee, p.date_maj
  from jobs.planification p;
comment on view jobs.planification_vue is 'Quand la base se sauvegarde.';
comment on column jobs.planification_vue.frequence is 'HEBDOMADAIRE : le dimanche.';
comment on column jobs.planification_vue.activee is 'La même chose que « active ».';
comment on column jobs.planification_vue.date_maj is 'Dernier changement.';

create function jobs.planification_detail() returns jobs.planification_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((select p from jobs.planification_vue p));
comment on function jobs.planification_detail is 'Planification des sauvegardes.';
