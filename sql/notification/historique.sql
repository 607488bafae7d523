create function notification.historique() returns setof notification.enveloppe
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select (notification._enveloppe(n)).*
    from notification.notification_vue v
    join notification.notification n on n.id_notification = v.id_notification
   where v.date > now() - interval '7 days'
   order by v.date desc, v.id_notification desc
   limit 50;
end;
comment on function notification.historique is
  'Les 50 dernières notifications de l''utilisateur, de sept jours au plus, la dernière d''abord.';
