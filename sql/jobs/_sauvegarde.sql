call core.transitions('jobs.sauvegarde', 'EN_COURS: SUCCES ERREUR');
call core.transitions('jobs.restauration', 'EN_COURS: SUCCES ERREUR');

create view jobs.restauration_vue as
select r.id_restauration, r.id_sauvegarde, r.date_creation, r.date_debut, r.date_fin, r.statut, r.auteur,
       r.ancienne_base, r.message_erreur
  from jobs.restauration r;
comment on view jobs.restauration_vue is 'Restaurations demandées, et leur issue.';

create view jobs.sauvegarde_vue as
select s.id_sauvegarde, s.date_creation, s.date_debut, s.date_fin, s.type, s.statut, s.taille_octets,
       replace(replace(replace(pg_size_pretty(s.taille_octets), 'bytes', 'octets'), 'kB', 'KB'), 'B', 'io')
         as taille_humaine, s.chemin, s.message_erreur, s.sha256,
       round(extract(epoch from s.date_fin - s.date_debut), 1)::core.nombre as duree, s.auteur, s.date_retrait,
       (select r from jobs.restauration_vue r
         where r.id_sauvegarde = s.id_sauvegarde order by r.id_restauration desc limit 1) as restauration
  from jobs.sauvegarde s;
comment on view jobs.sauvegarde_vue is 'Sauvegardes de la base, dans le stockage.';
comment on column jobs.sauvegarde_vue.chemin is 'Clé du fichier dans le seau des sauvegardes.';
comment on column jobs.sauvegarde_vue.duree is 'Durée, en secondes.';
comment on column jobs.sauvegarde_vue.date_retrait is 'Quand son fichier a été retiré du stockage ; elle ne se restaure plus.';
comment on column jobs.sauvegarde_vue.restauration is 'Sa dernière restauration.';
call core.peut_etre_null('jobs.sauvegarde_vue', 'taille_humaine', 'duree', 'restauration');

-- A session lock: it ends with the process that holds it, however that process ends.
create function jobs._coffre_prendre() returns boolean
language sql volatile
return pg_try_advisory_lock(core._verrou('COFFRE'), 0);
comment on function jobs._coffre_prendre is 'Prend le coffre pour cette session ; faux si une autre le tient.';

create function jobs._coffre_tenu() returns boolean
language sql stable
return core._verrou_tenu('COFFRE', 0);
comment on function jobs._coffre_tenu is 'Vrai si une session vivante fait une sauvegarde ou une restauration.';

create function jobs._auteur() returns text
language sql stable
return (select u.login from auth.utilisateur u where u.id_utilisateur = core.utilisateur());
comment on function jobs._auteur is 'Login de qui agit, null hors de l''API.';

create function jobs._sauvegarde_creer(p_type jobs.type_sauvegarde, p_echeance timestamptz, p_en_file boolean)
returns bigint
language plpgsql volatile as $$
declare
  v_id bigint;
begin
  insert into jobs.sauvegarde (type, echeance, auteur, chemin)
  values (p_type, p_echeance, jobs._auteur(),
          format('sauvegardes/%s-%s.dump', to_char(now() at time zone 'UTC', 'YYYYMMDD"T"HH24MISS"Z"'),
                 gen_random_uuid()))
  on conflict do nothing
  returning id_sauvegarde into v_id;
  if v_id is not null and p_en_file then
    update jobs.sauvegarde s
       set id_tache = core._differer('sauvegarder', jsonb_build_object('id_sauvegarde', v_id))
     where s.id_sauvegarde = v_id;
  end if;
  return v_id;
end $$;
comment on function jobs._sauvegarde_creer is 'Inscrit une sauvegarde à faire ; null si une autre est en cours.';

-- A backup or restore that has started, while no session holds the lock, has lost its process. One that has not started
-- after a minute, without a job, never will. The rows are read before the lock, because a process takes the lock first.
create function jobs._coffre_clore_interrompus() returns void
language plpgsql volatile as $$
declare
  v_sauvegardes bigint[] := array(
    select s.id_sauvegarde from jobs.sauvegarde s
     where s.statut = 'EN_COURS'
       and (s.date_debut is not null
            or s.date_creation < now() - interval '1 minute'
               and not exists (select from queue.procrastinate_jobs j
                                where j.id = s.id_tache and j.status in ('todo', 'doing'))));
  v_restaurations bigint[] := array(
    select r.id_restauration from jobs.restauration r
     where r.statut = 'EN_COURS' and (r.date_debut is not null or r.date_creation < now() - interval '1 minute'));
begin
  if jobs._coffre_tenu() then
    return;
  end if;
  perform jobs.sauvegarde_echouer(i, 'Interrompue : le processus qui la faisait s''est arrêté.')
     from unnest(v_sauvegardes) i;
  perform jobs.restauration_echouer(
            i, 'Interrompue : le processus qui la faisait s''est arrêté. La base n''a pas changé.')
     from unnest(v_restaurations) i;
end $$;
comment on function jobs._coffre_clore_interrompus is 'Clôt en échec la sauvegarde et la restauration dont le processus est mort.';

-- The list describes the object store, so a restored database takes the list of the database that it replaces.
create function jobs._coffre_exporter() returns jsonb
language sql stable
return jsonb_build_object(
  'sauvegarde', (select coalesce(jsonb_agg(to_jsonb(s) - 'id_tache'), '[]') from jobs.sauvegarde s),
  'restauration', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from jobs.restauration r),
  'planification', (select to_jsonb(p) from jobs.planification p));
comment on function jobs._coffre_exporter is 'Sauvegardes, restaurations et planification, pour la base qui remplacera celle-ci.';

create function jobs._coffre_reprendre(p_liste jsonb) returns void
language plpgsql volatile as $$
begin
  delete from jobs.restauration;
  delete from jobs.sauvegarde;
  insert into jobs.sauvegarde overriding system value
  select * from jsonb_populate_recordset(null::jobs.sauvegarde, p_liste -> 'sauvegarde');
  insert into jobs.restauration overriding system value
  select * from jsonb_populate_recordset(null::jobs.restauration, p_liste -> 'restauration');
  perform setval(pg_get_serial_sequence('jobs.sauvegarde', 'id_sauvegarde'), max(s.id_sauvegarde))
     from jobs.sauvegarde s;
  perform setval(pg_get_serial_sequence('jobs.restauration', 'id_restauration'), max(r.id_restauration))
     from jobs.restauration r;
  update jobs.planification p set frequence = n.frequence, heure = n.heure, active = n.active, date_maj = n.date_maj
    from jsonb_populate_record(null::jobs.planification, p_liste -> 'planification') n
   where p is distinct from n;
end $$;
comment on function jobs._coffre_reprendre is 'Met à la place de la liste d''une base restaurée celle de la base qu''elle remplace.';
