create function jobs._verrou(p_id bigint) returns bigint
language sql immutable
return hashtextextended('tache ' || p_id, core._verrou('TACHE'));
comment on function jobs._verrou is 'Verrou que tient qui exécute une tâche.';

create function jobs.tache_tenir(p_id bigint) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
return pg_advisory_xact_lock(jobs._verrou(p_id));
comment on function jobs.tache_tenir is
  'Tient une tâche jusqu''à la fin de la transaction : personne d''autre ne l''exécute, même si ce travailleur passe pour disparu. Attend si elle est tenue.';
