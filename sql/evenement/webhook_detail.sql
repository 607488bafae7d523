create function evenement.webhook_detail(p_id_webhook bigint) returns evenement.webhook_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return evenement._webhook(p_id_webhook);
comment on function evenement.webhook_detail is 'Un webhook, et où en est son envoi.';
