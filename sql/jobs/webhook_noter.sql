create type jobs.webhook_envoi as (id_evenement bigint, reussi boolean, code integer, duree_ms integer, reponse text);
comment on type jobs.webhook_envoi is 'Un essai d''envoi.';
call core.peut_etre_null('jobs.webhook_envoi', 'code');

create function jobs.webhook_noter(
  p_id_webhook bigint, p_envois jobs.webhook_envoi[], p_depuis bigint, p_jusqu_a bigint) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_manque jobs.webhook_envoi;
  v_suite evenement.webhook_suite;
  v_fini boolean := false;
begin
  select * into v_suite from evenement.webhook_suite s where s.id_webhook = p_id_webhook for update;
  if not found then
    return false;
  end if;
  select * into v_manque from unnest(p_envois) e where not e.reussi;
  -- Attempts count the misses of one event: an event accepted in between ends them.
  if v_manque.id_evenement is null or p_jusqu_a > p_depuis then
    v_suite.tentatives := 0;
    v_suite.date_echec := null;
    v_suite.date_essai := null;
  end if;
  if v_manque.id_evenement is not null then
    v_suite.tentatives := v_suite.tentatives + 1;
    v_suite.date_echec := coalesce(v_suite.date_echec, now());
    v_suite.date_essai := now() + coalesce(
      ('{5 s, 30 s, 2 min, 10 min, 1 h, 6 h}'::interval[])[v_suite.tentatives], '12 hours');
    v_fini := v_manque.code = 410 or v_suite.date_essai > v_suite.date_echec + interval '72 hours';
  end if;
  insert into evenement.livraison as l (id_webhook, id_evenement, issue, code, duree_ms, reponse)
  select p_id_webhook, e.id_evenement,
         case when e.reussi then 'REUSSIE' when coalesce(v_fini, false) then 'ECHOUEE' else 'EN_ATTENTE' end
         ::evenement.statut_livraison, e.code, e.duree_ms, e.reponse
    from unnest(p_envois) e order by e.id_evenement
  on conflict on constraint livraison_existante do update
     set (issue, code, duree_ms, reponse, date, tentatives)
       = row(excluded.issue, excluded.code, excluded.duree_ms, excluded.reponse, excluded.date, l.tentatives + 1);
  -- The webhook may have been set back meanwhile, to send its events again.
  update evenement.webhook_suite s
     set (jusqu_a, tentatives, date_echec, date_essai)
       = row(p_jusqu_a, v_suite.tentatives, v_suite.date_echec, v_suite.date_essai)
   where s.id_webhook = p_id_webhook and s.jusqu_a = p_depuis;
  if not found then
    return false;
  end if;
  if v_fini then
    perform evenement._webhook_arreter(p_id_webhook, v_manque.code);
  end if;
  return exists (select from evenement.webhook w where w.id_webhook = p_id_webhook and w.etat = 'ACTIF');
end $$;
comment on function jobs.webhook_noter is
  'Note des envois, dont le dernier peut avoir manqué, et que ceux d''après p_depuis sont faits jusqu''à p_jusqu_a ; après 410 ou trois jours, le webhook est EN_PANNE. Faux s''il ne marche plus, ou si on l''a fait revenir en arrière.';
