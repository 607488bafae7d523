create function jobs.tache_commencer(p_id bigint, p_tache text, p_cron text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_instant timestamptz := jobs._heure_manquee(p_tache, p_cron);
begin
  perform jobs._verrou_de_file_lever(p_id);
  if v_instant is null then
    return exists (select from jobs.horloge h where h.tache = p_tache and h.id_job = p_id);
  end if;
  update jobs.horloge h set derniere = v_instant, id_job = p_id where h.tache = p_tache;
  return true;
end $$;
comment on function jobs.tache_commencer is
  'Si une tâche que l''horloge a mise en file doit s''exécuter : elle se charge de la dernière heure due, ou s''en est déjà chargée à une tentative d''avant. Faux quand l''heure due est celle d''une autre, ou pas encore venue dans le fuseau de l''organisation.';
