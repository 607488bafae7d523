create function evenement.webhook_a_livrer() returns setof bigint
language sql volatile security definer set search_path = pg_catalog, pg_temp
begin atomic
  select s.id_webhook
    from evenement.webhook_suite s
    join evenement.webhook w on w.id_webhook = s.id_webhook
   where w.etat = 'ACTIF' and (s.date_essai is null or s.date_essai <= now()) and s.jusqu_a < evenement._dernier()
   order by s.id_webhook;
end;
comment on function evenement.webhook_a_livrer() is 'Webhooks qui ont à envoyer maintenant.';
