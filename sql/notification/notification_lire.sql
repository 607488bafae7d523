create function notification.notification_lire(p_id_notification bigint) returns notification.notification_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v notification.notification_vue;
begin
  select * into strict v from notification.notification_vue n where n.id_notification = p_id_notification;
  if core.utilisateur() is not null then
    insert into notification.lecture (id_notification, id_utilisateur)
    values (p_id_notification, core.utilisateur())
    on conflict do nothing;
    v.lue := true;
  end if;
  return v;
end $$;
comment on function notification.notification_lire is
  'Marque une notification comme lue par l''utilisateur ; la relire ne change rien.';
