create function jobs.webhook_differer() returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_nombre integer;
begin
  -- Reading the last identifier first makes the usual answer, « nothing to send », cost one row for each webhook.
  select count(core._differer('livrer', jsonb_build_object('id_webhook', s.id_webhook), 'webhook ' || s.id_webhook, 'svc-webhooks'))
    into v_nombre
    from evenement.webhook_suite s
    join evenement.webhook w on w.id_webhook = s.id_webhook
   where w.etat = 'ACTIF' and (s.date_essai is null or s.date_essai <= now()) and s.jusqu_a < evenement._dernier()
     and not exists (select from queue.procrastinate_jobs j
                      where j.lock = 'webhook ' || s.id_webhook and j.status in ('todo', 'doing'));
  return v_nombre;
end $$;
comment on function jobs.webhook_differer() is
  'Met en file l''envoi de chaque webhook qui a des événements à envoyer maintenant ; rend leur nombre.';
