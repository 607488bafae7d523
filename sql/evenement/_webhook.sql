-- The worker sends the events (app/jobs/webhooks.py); each webhook reads the feed as its owner.

create view evenement.webhook_vue as
select w.id_webhook, w.url, w.types, w.description, w.id_activite, w.etat, w.id_utilisateur, w.id_cle, w.id_caisse,
       w.permissions, w.date_creation,
       s.jusqu_a as dernier_evenement, s.tentatives, s.date_essai as prochain_essai
  from evenement.webhook w
  join evenement.webhook_suite s on s.id_webhook = w.id_webhook;
comment on view evenement.webhook_vue is 'Webhooks, sans leur clé.';
comment on column evenement.webhook_vue.dernier_evenement is 'Les événements suivants sont à envoyer.';
comment on column evenement.webhook_vue.tentatives is 'Essais manqués de l''événement suivant.';
comment on column evenement.webhook_vue.prochain_essai is 'Rien ne part avant, null : tout de suite.';
call core.peut_etre_null('evenement.webhook_vue', 'prochain_essai');

create type evenement.webhook_secret_montre as (
  id_webhook bigint, url evenement.adresse, types text[], description core.texte, id_activite bigint,
  etat evenement.etat_webhook, secret text);
comment on type evenement.webhook_secret_montre is 'Un webhook, et sa clé, que seule cette réponse montre.';
comment on column evenement.webhook_secret_montre.secret is 'whsec_…, la clé qui vérifie la signature des envois.';
call core.peut_etre_null('evenement.webhook_secret_montre', 'description', 'id_activite');

-- The owner's powers count, even where an owner without limits has limited the webhook to an activity.
create function evenement._webhook_permis(p_webhook evenement.webhook_vue) returns boolean
language sql stable
return auth._pouvoir_permis(p_webhook.id_utilisateur, p_webhook.permissions, p_webhook.id_caisse,
                            case when p_webhook.permissions is not null then p_webhook.id_activite end);
comment on function evenement._webhook_permis is
  'Vrai si l''auteur d''un webhook, dans les limites de la clé qui l''a fait, ne peut rien que l''utilisateur ne puisse.';

-- The webhook of a key ends with the key, so it gives no lasting power.
create function evenement._preuve_exiger(p_id_cle bigint) returns void
language plpgsql stable as $$
begin
  if p_id_cle is null or p_id_cle is distinct from core.cle() then
    perform auth._preuve_exiger();
  end if;
end $$;
comment on function evenement._preuve_exiger is
  'Refuse de donner une adresse ou une clé à un webhook sans connexion ni mot de passe récents : PREUVE_REQUISE. La clé d''API qui l''a fait le peut.';

create function evenement._t20_webhook_types() returns trigger
language plpgsql volatile as $$
begin
  perform evenement._types_connus(new.types);
  return new;
end $$;
comment on function evenement._t20_webhook_types is 'Un webhook ne nomme que des types d''événements qui existent. Refuse TYPE_INCONNU.';

create trigger t20_webhook_types before insert or update of types on evenement.webhook
  for each row execute function evenement._t20_webhook_types();

-- The account is locked, so that two requests count one after the other.
create function evenement._t20_webhook_nombre() returns trigger
language plpgsql as $$
begin
  perform from auth.utilisateur u where u.id_utilisateur = new.id_utilisateur for no key update;
  if (select count(*) from evenement.webhook w
       where w.id_utilisateur = new.id_utilisateur and w.id_webhook <> new.id_webhook) >= 20 then
    perform core.refuser(409, 'WEBHOOKS_TROP_NOMBREUX', 'Un compte a 20 webhooks au plus : supprimez-en un.');
  end if;
  return new;
end $$;
comment on function evenement._t20_webhook_nombre is 'Un compte a 20 webhooks au plus. Refuse WEBHOOKS_TROP_NOMBREUX.';

create trigger t20_webhooks_trop_nombreux before insert or update of id_utilisateur on evenement.webhook
  for each row execute function evenement._t20_webhook_nombre();

create function evenement._t50_webhook_suite() returns trigger
language plpgsql volatile as $$
begin
  insert into evenement.webhook_suite (id_webhook, jusqu_a) values (new.id_webhook, evenement._dernier());
  return null;
end $$;
comment on function evenement._t50_webhook_suite is 'Un webhook commence par les événements qui suivent sa création.';

create trigger t50_webhook_suite after insert on evenement.webhook
  for each row execute function evenement._t50_webhook_suite();

create function evenement._t50_webhook_reprise() returns trigger
language plpgsql volatile as $$
begin
  update evenement.webhook_suite s set (tentatives, date_echec, date_essai) = row(0, null, null)
   where s.id_webhook = new.id_webhook;
  return null;
end $$;
comment on function evenement._t50_webhook_reprise is 'Un webhook remis en marche reprend où il en était, tout de suite.';

create trigger t50_webhook_reprise after update of etat on evenement.webhook
  for each row when (new.etat = 'ACTIF' and old.etat <> 'ACTIF') execute function evenement._t50_webhook_reprise();

create function evenement._t50_compte_webhooks() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update evenement.webhook w set etat = 'SUSPENDU' where w.id_utilisateur = new.id_utilisateur and w.etat = 'ACTIF';
  return null;
end $$;
comment on function evenement._t50_compte_webhooks is
  'Les webhooks d''un compte désactivé s''arrêtent : ils n''ont plus de droits. Aucun événement ne s''en perd.';

create trigger t50_compte_webhooks after update of actif on auth.utilisateur
  for each row when (old.actif and not new.actif) execute function evenement._t50_compte_webhooks();

create function evenement._t50_cle_webhooks() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update evenement.webhook w set (id_cle, etat) = row(null, 'SUSPENDU') where w.id_cle = old.id_cle;
  return old;
end $$;
comment on function evenement._t50_cle_webhooks is
  'Les webhooks d''une clé supprimée s''arrêtent, et gardent ses limites. Aucun événement ne s''en perd.';

create trigger t50_cle_webhooks before delete on auth.cle
  for each row execute function evenement._t50_cle_webhooks();

create function evenement._secret_donner(p_id_webhook bigint, p_chiffre text) returns evenement.webhook_secret_montre
language sql volatile
begin atomic
  insert into evenement.webhook_secret (id_webhook, secret) values (p_id_webhook, p_chiffre);
  select w.id_webhook, w.url, w.types, w.description, w.id_activite, w.etat, p_chiffre
    from evenement.webhook w where w.id_webhook = p_id_webhook;
end;
comment on function evenement._secret_donner is 'Donne une clé chiffrée à un webhook, et rend les deux.';

create function evenement._cles(p_id_webhook bigint) returns text[]
language sql stable
return array(select s.secret from evenement.webhook_secret s
              where s.id_webhook = p_id_webhook and (s.date_expiration is null or s.date_expiration > now())
              order by s.date_creation desc);
comment on function evenement._cles is 'Clés chiffrées qui signent les envois d''un webhook, la plus récente d''abord.';

-- In the limits of the key that made the webhook. No row has the activity -1, and a row without one does not match it.
create function evenement._agir(p_webhook evenement.webhook) returns void
language plpgsql volatile as $$
begin
  perform set_config('comptoir.utilisateur', p.id_utilisateur::text, true),
          set_config('comptoir.client', p.id_client::text, true),
          set_config('comptoir.permissions', p_webhook.permissions::text, true),
          set_config('comptoir.caisse', coalesce(p_webhook.id_caisse, p.id_caisse)::text, true),
          set_config('comptoir.activite',
            case when auth._dans_les_limites(p.id_utilisateur, p_webhook.id_caisse, p_webhook.id_activite)
                 then coalesce(p_webhook.id_activite, p.id_activite)::text else '-1' end, true)
     from auth.perimetre_vue p where p.id_utilisateur = p_webhook.id_utilisateur;
end $$;
comment on function evenement._agir is 'Lit désormais avec les droits de l''auteur d''un webhook et ses limites.';

create function evenement._auteur_vaut(p_webhook evenement.webhook) returns boolean
language sql stable
return (select u.actif from auth.utilisateur u where u.id_utilisateur = p_webhook.id_utilisateur)
   and not exists (select from auth.cle c where c.id_cle = p_webhook.id_cle and c.expire_le <= now());
comment on function evenement._auteur_vaut is 'Vrai si le compte d''un webhook est actif, et sa clé non expirée.';

create function evenement._webhook_arreter(p_id_webhook bigint, p_code integer) returns void
language plpgsql volatile as $$
declare
  v evenement.webhook;
begin
  update evenement.webhook w set etat = 'EN_PANNE'
   where w.id_webhook = p_id_webhook and w.etat = 'ACTIF' returning * into v;
  if found then
    perform notification._emettre(
      'webhook.en_panne', 'HIGH', 'Webhook arrêté',
      format('« %s » ne reçoit plus les événements : %s.', coalesce(v.description, 'n° ' || v.id_webhook),
             case p_code when 410 then 'il a répondu qu''il n''en veut plus (410)'
                               else 'ses envois échouent depuis trois jours' end),
      jsonb_build_object('id_webhook', p_id_webhook::text), 'ADMIN.VOIR', null, v.id_activite, null);
  end if;
end $$;
comment on function evenement._webhook_arreter is 'Met un webhook EN_PANNE, et le signale aux administrateurs.';
