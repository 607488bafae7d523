create type jobs.sauvegarde_perimee as (id_sauvegarde bigint, chemin text);
comment on type jobs.sauvegarde_perimee is 'Sauvegarde dont le fichier est à retirer.';

create function jobs.sauvegarde_perimees() returns setof jobs.sauvegarde_perimee
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  (select s.id_sauvegarde, s.chemin from jobs.sauvegarde s
    where s.statut = 'SUCCES' and s.date_retrait is null
    order by s.id_sauvegarde desc offset coalesce(core.parametre('SAUVEGARDE_RETENTION'), '14')::integer)
  union all
  -- A process that died before it noted its success has left a whole file, which no restore reads.
  select s.id_sauvegarde, s.chemin from jobs.sauvegarde s where s.statut = 'ERREUR' and s.date_retrait is null;
end;
comment on function jobs.sauvegarde_perimees is 'Sauvegardes réussies au-delà des SAUVEGARDE_RETENTION dernières, et échouées, dont le fichier peut être encore là.';
