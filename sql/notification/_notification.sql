-- Notifications. The columns of a notification say which users may see it. The list, the history and the live delivery
-- read them only through _visible. A missing value on either side is no limit, unless the notification is strict. A
-- reader with a till or an activity then sees only strict notifications of this till or this activity.

create function notification._visible(
  p notification.notification, p_permissions text[], p_id_caisse bigint, p_id_activite bigint, p_id_utilisateur bigint)
returns boolean
language sql immutable parallel safe
-- Each parameter is used once, so that PostgreSQL inlines the body and evaluates each value once a statement.
return (p.permission::text = any (p_permissions)) is not false
   and (p.id_caisse is null and not p.stricte or core._visible(p.id_caisse, p_id_caisse))
   and (p.id_activite is null and not p.stricte or core._visible(p.id_activite, p_id_activite))
   and (p.id_utilisateur = p_id_utilisateur) is not false;
comment on function notification._visible is
  'Vrai si une notification est pour qui a ces permissions, cette caisse, cette activité, cet identifiant ; tous null : psql voit tout.';

create view notification.notification_vue as
select n.id_notification, n.evenement, n.priorite, n.titre::text as titre, n.corps::text as corps,
       n.donnees::core.donnees as donnees, n.date,
       exists (select from notification.lecture l
                where l.id_utilisateur = (select core.utilisateur()) and l.id_notification = n.id_notification) as lue
  from notification.notification n
 where notification._visible(
         n,
         (select auth._permissions()),
         (select core.caisse()), (select core.activite()), (select core.utilisateur()));
comment on view notification.notification_vue is
  'Notifications que l''utilisateur peut voir : sa permission, sa caisse, son activité ou lui-même.';
comment on column notification.notification_vue.lue is 'Vrai si l''utilisateur l''a lue.';
call core.peut_etre_null('notification.notification_vue', 'lue');
call core.jamais_null('notification.notification_vue', 'titre', 'corps', 'donnees');

create function notification._emettre(
  p_evenement text, p_priorite notification.priorite, p_titre text, p_corps text, p_donnees jsonb,
  p_permission text, p_id_caisse bigint, p_id_activite bigint, p_id_utilisateur bigint,
  p_stricte boolean default false)
returns void
language sql volatile
begin atomic
  insert into notification.notification (evenement, priorite, titre, corps, donnees,
                                         permission, id_caisse, id_activite, id_utilisateur, stricte)
  values (p_evenement, p_priorite, p_titre, p_corps, p_donnees,
          p_permission, p_id_caisse, p_id_activite, p_id_utilisateur, p_stricte);
end;
comment on function notification._emettre is
  'Écrit une notification pour qui a la permission, et, s''ils sont donnés, pour cette caisse, cette activité, cet utilisateur seulement ; stricte, ce qui n''est pas donné la ferme à ceux qu''une caisse ou une activité limite.';

-- NOTIFY carries only the identifier. Each API process reads the contents and the recipients itself.
create function notification._t90_notification_annoncer() returns trigger
language plpgsql volatile as $$
begin
  perform pg_notify('comptoir_notification', new.id_notification::text);
  return null;
end $$;
comment on function notification._t90_notification_annoncer is 'Réveille les processus de l''API.';

create trigger t90_notification_annoncer after insert on notification.notification
  for each row execute function notification._t90_notification_annoncer();
