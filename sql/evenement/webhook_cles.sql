create type evenement.webhook_cles as (url evenement.adresse, cles text[]);
comment on type evenement.webhook_cles is 'Où envoyer, et les clés chiffrées qui signent.';

create function evenement.webhook_cles(p_id_webhook bigint) returns evenement.webhook_cles
language sql stable security definer set search_path = pg_catalog, pg_temp
return row((evenement.webhook_detail(p_id_webhook)).url, evenement._cles(p_id_webhook))::evenement.webhook_cles;
comment on function evenement.webhook_cles is 'Ce qu''il faut à l''API pour essayer un webhook.';
