-- Webhooks: the view, the rules, and the state of their deliveries. The worker sends the events
-- (app/jobs/webhooks.py); each webhook reads the feed as its owner.

create view evenement.webhook_vue as
select w.id_webhook, w.url, w.types, w.description, w.id_activite, w.etat, w.id_utilisateur, w.date_creation,
       s.jusqu_a as dernier_evenement, s.tentatives, s.date_essai as prochain_essai
  from evenement.webhook w
  join evenement.webhook_suite s on s.id_webhook = w.id_webhook;
comment on view evenement.webhook_vue is 'Webhooks, sans leur clé.';
comment on column evenement.webhook_vue.dernier_evenement is 'Les événements suivants sont à envoyer.';
comment on column evenement.webhook_vue.tentatives is 'Essais manqués de l''événement suivant.';
comment on column evenement.webhook_vue.prochain_essai is 'Rien ne part avant, null : tout de suite.';
call core.null_comme('evenement.webhook_vue', 'evenement.webhook');
call core.peut_etre_null('evenement.webhook_vue', 'prochain_essai');

create type evenement.webhook_secret_montre as (
  id_webhook bigint, url evenement.adresse, types text[], description core.texte, id_activite bigint,
  etat evenement.etat_webhook, secret text);
comment on type evenement.webhook_secret_montre is 'Un webhook, et sa clé, que seule cette réponse montre.';
comment on column evenement.webhook_secret_montre.secret is 'whsec_…, la clé qui vérifie la signature des envois.';
call core.peut_etre_null('evenement.webhook_secret_montre', 'description', 'id_activite');

create function evenement._webhook(p_id_webhook bigint) returns evenement.webhook_vue
language plpgsql stable as $$
declare
  v evenement.webhook_vue;
begin
  select * into strict v from evenement.webhook_vue w where w.id_webhook = p_id_webhook;
  return v;
end $$;
comment on function evenement._webhook(bigint) is 'Un webhook. Refuse NOT_FOUND.';

create function evenement._t20_webhook_types() returns trigger
language plpgsql volatile as $$
begin
  perform evenement._types_connus(new.types);
  return new;
end $$;
comment on function evenement._t20_webhook_types() is 'Un webhook ne nomme que des types d''événements qui existent. Refuse TYPE_INCONNU.';

create trigger t20_webhook_types before insert or update of types on evenement.webhook
  for each row execute function evenement._t20_webhook_types();

-- The first event sent is the first one after the creation.
create function evenement._t50_webhook_suite() returns trigger
language plpgsql volatile as $$
begin
  insert into evenement.webhook_suite (id_webhook, jusqu_a) values (new.id_webhook, evenement._dernier());
  return null;
end $$;
comment on function evenement._t50_webhook_suite() is 'Un webhook commence par les événements qui suivent sa création.';

create trigger t50_webhook_suite after insert on evenement.webhook
  for each row execute function evenement._t50_webhook_suite();

create function evenement._t50_webhook_reprise() returns trigger
language plpgsql volatile as $$
begin
  update evenement.webhook_suite s set (tentatives, date_echec, date_essai) = row(0, null, null)
   where s.id_webhook = new.id_webhook;
  return null;
end $$;
comment on function evenement._t50_webhook_reprise() is 'Un webhook remis en marche reprend où il en était, tout de suite.';

create trigger t50_webhook_reprise after update of etat on evenement.webhook
  for each row when (new.etat = 'ACTIF' and old.etat <> 'ACTIF') execute function evenement._t50_webhook_reprise();

create function evenement._t50_compte_webhooks() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update evenement.webhook w set etat = 'SUSPENDU' where w.id_utilisateur = new.id_utilisateur and w.etat = 'ACTIF';
  return null;
end $$;
comment on function evenement._t50_compte_webhooks() is
  'Les webhooks d''un compte désactivé s''arrêtent : ils n''ont plus de droits. Aucun événement ne s''en perd.';

create trigger t50_compte_webhooks after update of actif on auth.utilisateur
  for each row when (old.actif and not new.actif) execute function evenement._t50_compte_webhooks();

create function evenement._secret_creer(p_id_webhook bigint) returns text
language plpgsql volatile as $$
declare
  v_secret constant text := 'whsec_' || encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'base64');
begin
  insert into evenement.webhook_secret (id_webhook, secret) values (p_id_webhook, v_secret);
  return v_secret;
end $$;
comment on function evenement._secret_creer(bigint) is 'Donne une clé à un webhook : 32 octets, dont 244 bits au hasard, comme l''écrit Standard Webhooks.';

create function evenement._cles(p_id_webhook bigint) returns text[]
language sql stable
return array(select s.secret from evenement.webhook_secret s
              where s.id_webhook = p_id_webhook and (s.date_expiration is null or s.date_expiration > now())
              order by s.date_creation desc);
comment on function evenement._cles(bigint) is 'Clés qui signent les envois d''un webhook, la plus récente d''abord.';

create function evenement._webhook_montrer(p_id_webhook bigint, p_secret text) returns evenement.webhook_secret_montre
language sql stable
return (select row(w.id_webhook, w.url, w.types, w.description, w.id_activite, w.etat, p_secret)
               ::evenement.webhook_secret_montre
          from evenement.webhook w where w.id_webhook = p_id_webhook);
comment on function evenement._webhook_montrer(bigint, text) is 'Un webhook et sa clé.';

create function evenement._pause(p_tentatives integer) returns interval
language sql immutable
return (array['5 s', '30 s', '2 min', '10 min', '1 h', '6 h']::interval[])[p_tentatives];
comment on function evenement._pause(integer) is 'Pause après ce nombre d''essais manqués ; null au-delà : douze heures.';

-- The settings of a request of this account. No row has the activity -1, and a row without one does not match it.
create function evenement._agir(p_id_utilisateur bigint, p_id_activite bigint) returns void
language plpgsql volatile as $$
begin
  perform set_config('comptoir.utilisateur', p.id_utilisateur::text, true),
          set_config('comptoir.client', coalesce(p.id_client::text, ''), true),
          set_config('comptoir.caisse', coalesce(p.id_caisse::text, ''), true),
          set_config('comptoir.activite', coalesce(
            case when auth._dans_les_limites(p_id_utilisateur, null, p_id_activite)
                 then coalesce(p_id_activite, p.id_activite)::text else '-1' end, ''), true)
     from auth.perimetre_vue p where p.id_utilisateur = p_id_utilisateur;
end $$;
comment on function evenement._agir(bigint, bigint) is
  'Lit désormais, dans cette transaction, avec les droits d''un compte, limités de plus à une activité.';

create function evenement._webhook_arreter(p_id_webhook bigint, p_code integer) returns void
language plpgsql volatile as $$
declare
  v evenement.webhook;
begin
  update evenement.webhook w set etat = 'EN_PANNE' where w.id_webhook = p_id_webhook and w.etat = 'ACTIF' returning * into v;
  if found then
    perform notification._emettre(
      'webhook.en_panne', 'HIGH', 'Webhook arrêté',
      format('« %s » ne reçoit plus les événements : %s.', coalesce(v.description, v.url),
             case p_code when 410 then 'il a répondu qu''il n''en veut plus (410)'
                               else 'ses envois manquent depuis trois jours' end),
      jsonb_build_object('id_webhook', p_id_webhook::text), 'ADMIN.VOIR', null, v.id_activite, null);
  end if;
end $$;
comment on function evenement._webhook_arreter(bigint, integer) is
  'Met un webhook EN_PANNE, et le signale aux administrateurs.';
