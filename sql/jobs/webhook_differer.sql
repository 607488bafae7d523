create function jobs.webhook_differer() returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Reading the last identifier first makes the usual answer, « nothing to send », cost one row for each webhook.
  -- The lock says that a live worker is sending. The job of a killed worker stays « doing » for a while.
  return (
    select count(core._differer('livrer', jsonb_build_object('id_webhook', s.id_webhook), p_file => 'svc-webhooks'))
      from evenement.webhook_suite s
      join evenement.webhook w on w.id_webhook = s.id_webhook
     where w.etat = 'ACTIF' and (s.date_essai is null or s.date_essai <= now()) and s.jusqu_a < evenement._dernier()
       and not core._verrou_tenu('WEBHOOK', s.id_webhook::integer)
       and not exists (select from queue.procrastinate_jobs j
                        where j.queue_name = 'svc-webhooks' and j.status = 'todo'
                          and j.args = jsonb_build_object('id_webhook', s.id_webhook)));
end $$;
comment on function jobs.webhook_differer is
  'Met en file l''envoi de chaque webhook qui a des événements à envoyer maintenant ; rend leur nombre.';
