create function evenement.webhook_lister() returns setof evenement.webhook_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from evenement.webhook_vue w
   where evenement._webhook_permis(w) order by w.id_webhook;
end;
comment on function evenement.webhook_lister is 'Webhooks dont l''auteur ne peut rien que l''utilisateur ne puisse, et où en est leur envoi.';
