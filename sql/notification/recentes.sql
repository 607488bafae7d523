create function notification.recentes(p_apres bigint default null) returns bigint[]
language sql stable security definer set search_path = pg_catalog, pg_temp
return array(select n.id_notification from notification.notification n
              where n.id_notification > coalesce(p_apres, (
                      select max(m.id_notification) - 1000 from notification.notification m))
              order by n.id_notification);
comment on function notification.recentes is
  'Identifiants des notifications qui suivent celle-ci, sinon des mille dernières : ce qu''un processus qui n''écoutait pas a manqué.';
