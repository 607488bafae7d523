-- The next events of a webhook, read as its owner. Only the worker and the trial of a webhook call it.

create type evenement.lot as (
  url evenement.adresse, secrets text[], evenements evenement.evenement_vue[], jusqu_a bigint);
comment on type evenement.lot is 'Ce qu''un webhook a à envoyer.';
comment on column evenement.lot.secrets is 'Clés qui signent, la plus récente d''abord.';
comment on column evenement.lot.jusqu_a is 'Dernier événement que ce lot comprend ou laisse de côté.';
call core.peut_etre_null('evenement.lot', 'url', 'jusqu_a');

create function evenement.webhook_lot(p_id_webhook bigint, p_limit integer) returns evenement.lot
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_webhook evenement.webhook;
  v_suite evenement.webhook_suite;
  v evenement.lot;
begin
  select * into v_webhook from evenement.webhook w where w.id_webhook = p_id_webhook and w.etat = 'ACTIF';
  select * into v_suite from evenement.webhook_suite s
   where s.id_webhook = v_webhook.id_webhook and (s.date_essai is null or s.date_essai <= clock_timestamp());
  if not found then
    return v;
  end if;
  v.url := v_webhook.url;
  v.secrets := array(select s.secret from evenement.webhook_secret s
                      where s.id_webhook = p_id_webhook and (s.date_expiration is null or s.date_expiration > now())
                      order by s.date_creation desc);
  v.jusqu_a := evenement._complet_jusqu_a(v_suite.jusqu_a);
  perform evenement._agir(v_webhook.id_utilisateur, v_webhook.id_activite);
  v.evenements := array(select l from evenement._lire(v_suite.jusqu_a, v.jusqu_a, v_webhook.types, p_limit) l);
  if cardinality(v.evenements) = p_limit then
    v.jusqu_a := v.evenements[p_limit].id;
  end if;
  return v;
end $$;
comment on function evenement.webhook_lot(bigint, integer) is
  'Prochains événements à envoyer à un webhook, lus avec les droits que son auteur a maintenant ; rien s''il ne marche pas ou attend.';
call core.peut_refuser('evenement.webhook_lot', 'ISOLATION_IMPREVUE');
