create function evenement.webhook_detail(p_id_webhook bigint) returns evenement.webhook_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v evenement.webhook_vue;
begin
  select * into strict v from evenement.webhook_vue w where w.id_webhook = p_id_webhook;
  if not evenement._webhook_permis(v) then
    perform auth._pouvoir_refuser();
  end if;
  return v;
end $$;
comment on function evenement.webhook_detail is 'Un webhook, et où en est son envoi.';
