-- The clock of the jobs: when each was last due, and how often each ended how.
-- depends: 0008.jobs-file 0019.rapports-schema

create table jobs.horloge (
  tache text constraint horloge_pkey primary key,
  derniere timestamptz not null
);
comment on table jobs.horloge is 'Dernière heure à laquelle chaque tâche périodique était due : ce que tous les travailleurs savent de ce qui est déjà parti.';
comment on column jobs.horloge.derniere is 'Dernier instant dû pris en compte, par la mise en file d''une exécution ou parce que la tâche était nouvelle.';

create table jobs.total (
  tache text not null,
  issue text not null,
  nombre bigint not null,
  constraint total_pkey primary key (tache, issue)
);
comment on table jobs.total is 'Tentatives dont la file ne garde rien : exécutions à la main, et tâches que le ménage a retirées.';

-- What procrastinate put in by its own clock until now is not put in again.
insert into jobs.horloge (tache, derniere)
select d.task_name, to_timestamp(max(d.defer_timestamp)) from queue.procrastinate_periodic_defers d group by d.task_name;
