create type jobs.webhook_bilan as (
  webhook text, etat text, en_attente bigint, age double precision, tentatives integer);
comment on type jobs.webhook_bilan is 'Où en est l''envoi d''un webhook.';
comment on column jobs.webhook_bilan.en_attente is 'Événements écrits depuis le dernier envoyé, de tous les types.';
comment on column jobs.webhook_bilan.age is 'Secondes depuis le premier d''entre eux, 0 sans aucun.';
comment on column jobs.webhook_bilan.tentatives is 'Essais manqués du suivant.';

create function jobs.webhook_bilan() returns setof jobs.webhook_bilan
language sql volatile security definer set search_path = pg_catalog, pg_temp
begin atomic
  select w.id_webhook::text, w.etat::text, greatest(evenement._dernier() - s.jusqu_a, 0),
         coalesce(extract(epoch from clock_timestamp() - (
           select e.date from evenement.evenement e
            where e.id_evenement > s.jusqu_a order by e.id_evenement limit 1)), 0)::double precision, s.tentatives
    from evenement.webhook w join evenement.webhook_suite s on s.id_webhook = w.id_webhook
   order by w.id_webhook;
end;
comment on function jobs.webhook_bilan is 'Où en est l''envoi de chaque webhook, pour les mesures.';
