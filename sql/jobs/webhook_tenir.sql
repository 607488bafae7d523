create function jobs.webhook_tenir(p_id_webhook bigint) returns boolean
language sql volatile security definer set search_path = pg_catalog, pg_temp
return pg_try_advisory_xact_lock(core._verrou('WEBHOOK'), p_id_webhook::integer);
comment on function jobs.webhook_tenir is
  'Réserve l''envoi d''un webhook à cette transaction, pour que ses événements partent dans l''ordre ; faux s''il est déjà réservé.';
