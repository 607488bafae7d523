create type notification.livraison as (enveloppe notification.enveloppe, utilisateurs bigint[]);
comment on type notification.livraison is 'Une notification, et ceux qui la reçoivent.';

create function notification.livraison(p_notifications bigint[], p_utilisateurs bigint[])
returns setof notification.livraison
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with connecte as materialized (
    select p.id_utilisateur, auth.role_permissions(p.role) as permissions, p.id_caisse, p.id_activite
      from auth.perimetre_vue p
     where p.id_utilisateur = any (p_utilisateurs) and p.actif)
  select notification._enveloppe(n),
         array(select c.id_utilisateur from connecte c
                where notification._visible(n, c.permissions, c.id_caisse, c.id_activite, c.id_utilisateur))
    from notification.notification n
   where n.id_notification = any (p_notifications)
   order by n.id_notification;
end;
comment on function notification.livraison is
  'Ces notifications, et qui parmi ces utilisateurs peut voir chacune, selon leurs droits de cet instant.';
