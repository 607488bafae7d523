-- Which job of the queue saw to the last due hour: its further attempts run, another one for the same hour does not.
-- depends: 0023.jobs-horloge

alter table jobs.horloge add column id_job bigint;
comment on column jobs.horloge.id_job is 'Tâche de la file qui s''est chargée de la dernière heure due, null s''il n''y en a pas eu ; écrit par jobs.tache_commencer.';
comment on column jobs.horloge.derniere is 'Dernier instant dû pris en compte, par une exécution qui a commencé ou parce que la tâche était nouvelle ; écrit par jobs.tache_commencer et jobs.tache_echoir.';
