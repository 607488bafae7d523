-- What became of the events that the worker sent.

create type evenement.envoi as (id_evenement bigint, reussi boolean, code integer, duree_ms integer, reponse text);
comment on type evenement.envoi is 'Un essai d''envoi.';
call core.peut_etre_null('evenement.envoi', 'code');

create function evenement.webhook_noter(p_id_webhook bigint, p_envois evenement.envoi[], p_jusqu_a bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_manque evenement.envoi;
  v_suite evenement.webhook_suite;
  v_fini boolean := false;
begin
  select * into v_suite from evenement.webhook_suite s where s.id_webhook = p_id_webhook for update;
  if not found then
    return;
  end if;
  select * into v_manque from unnest(p_envois) e where not e.reussi;
  if found then
    v_suite.tentatives := v_suite.tentatives + 1;
    v_suite.date_echec := coalesce(v_suite.date_echec, now());
    v_suite.date_essai := now() + coalesce(evenement._pause(v_suite.tentatives), '12 hours');
    v_fini := v_manque.code = 410 or v_suite.date_essai > v_suite.date_echec + interval '72 hours';
  else
    v_suite.tentatives := 0;
    v_suite.date_echec := null;
    v_suite.date_essai := null;
  end if;
  insert into evenement.livraison as l (id_webhook, id_evenement, statut, code, duree_ms, reponse)
  select p_id_webhook, e.id_evenement,
         case when e.reussi then 'REUSSIE' when coalesce(v_fini, false) then 'ECHOUEE' else 'EN_ATTENTE' end
         ::evenement.statut_livraison, e.code, e.duree_ms, e.reponse
    from unnest(p_envois) e order by e.id_evenement
  on conflict on constraint livraison_existante do update
     set (statut, code, duree_ms, reponse, date, tentatives)
       = row(excluded.statut, excluded.code, excluded.duree_ms, excluded.reponse, excluded.date, l.tentatives + 1);
  update evenement.webhook_suite s
     set (jusqu_a, tentatives, date_echec, date_essai)
       = row(coalesce(p_jusqu_a, s.jusqu_a), v_suite.tentatives, v_suite.date_echec, v_suite.date_essai)
   where s.id_webhook = p_id_webhook;
  if v_fini then
    perform evenement._webhook_arreter(p_id_webhook, v_manque);
  end if;
end $$;
comment on function evenement.webhook_noter(bigint, evenement.envoi[], bigint) is
  'Note des envois, dont le dernier peut avoir manqué, et où en est le webhook ; après 410 ou trois jours, il est EN_PANNE.';

create function evenement._webhook_arreter(p_id_webhook bigint, p_envoi evenement.envoi) returns void
language plpgsql volatile as $$
declare
  v evenement.webhook;
begin
  update evenement.webhook w set etat = 'EN_PANNE' where w.id_webhook = p_id_webhook and w.etat = 'ACTIF' returning * into v;
  if found then
    perform notification._emettre(
      'webhook.en_panne', 'HIGH', 'Webhook arrêté',
      format('« %s » ne reçoit plus les événements : %s.', coalesce(v.description, v.url),
             case p_envoi.code when 410 then 'il a répondu qu''il n''en veut plus (410)'
                               else 'ses envois manquent depuis trois jours' end),
      jsonb_build_object('id_webhook', p_id_webhook::text), 'ADMIN.VOIR', null, v.id_activite, null);
  end if;
end $$;
comment on function evenement._webhook_arreter(bigint, evenement.envoi) is
  'Met un webhook EN_PANNE, et le signale aux administrateurs.';
