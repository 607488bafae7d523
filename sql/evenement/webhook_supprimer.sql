create function evenement.webhook_supprimer(p_id_webhook bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform evenement.webhook_detail(p_id_webhook);
  delete from evenement.webhook w where w.id_webhook = p_id_webhook;
end $$;
comment on function evenement.webhook_supprimer is 'Supprime un webhook, sa clé et la liste de ses envois.';
