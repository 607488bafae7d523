create type jobs.webhook_lot as (
  url text, cles text[], identifiants bigint[], corps text[], depuis bigint, jusqu_a bigint);
comment on type jobs.webhook_lot is 'Ce qu''un webhook a à envoyer ; url est null quand il ne marche pas ou attend.';
comment on column jobs.webhook_lot.cles is 'Clés chiffrées qui signent, la plus récente d''abord.';
comment on column jobs.webhook_lot.corps is 'Le JSON de chaque événement, dans l''ordre.';
comment on column jobs.webhook_lot.depuis is 'Dernier événement avant ce lot.';
comment on column jobs.webhook_lot.jusqu_a is 'Dernier événement que ce lot comprend ou laisse de côté.';
call core.peut_etre_null('jobs.webhook_lot', 'url', 'depuis', 'jusqu_a');

create function jobs.webhook_lot(p_id_webhook bigint, p_limite integer) returns jobs.webhook_lot
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_webhook evenement.webhook;
  v_suite evenement.webhook_suite;
  v jobs.webhook_lot;
begin
  select * into v_webhook from evenement.webhook w where w.id_webhook = p_id_webhook and w.etat = 'ACTIF';
  select * into v_suite from evenement.webhook_suite s
   where s.id_webhook = v_webhook.id_webhook and (s.date_essai is null or s.date_essai <= clock_timestamp());
  if not found then
    return v;
  end if;
  if not evenement._auteur_vaut(v_webhook) then
    update evenement.webhook w set etat = 'SUSPENDU' where w.id_webhook = p_id_webhook;
    return v;
  end if;
  v.url := v_webhook.url;
  v.cles := evenement._cles(p_id_webhook);
  v.depuis := v_suite.jusqu_a;
  v.jusqu_a := evenement._complet_jusqu_a(v.depuis);
  perform evenement._agir(v_webhook);
  select coalesce(array_agg(l.id order by l.id), '{}'),
         coalesce(array_agg(evenement._evenement_json(l)::text order by l.id), '{}')
    into v.identifiants, v.corps
    from evenement._lire(v.depuis, v.jusqu_a, v_webhook.types, p_limite) l;
  if cardinality(v.identifiants) = p_limite then
    v.jusqu_a := v.identifiants[p_limite];
  end if;
  if cardinality(v.identifiants) > 0 then
    -- The API commits before the disk has the transaction (docs/decisions/0049). This write makes the commit of this
    -- transaction wait for the disk, with all that it has read. No event leaves before.
    perform pg_logical_emit_message(true, 'comptoir', '');
  end if;
  return v;
end $$;
comment on function jobs.webhook_lot is
  'Prochains événements à envoyer à un webhook, lus avec les droits que son auteur a maintenant, dans les limites de la clé d''API qui l''a fait ; expirée, elle le suspend.';
