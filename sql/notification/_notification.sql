-- Notifications: who may see one is said by its own columns, and read here only.

create view notification.notification_vue as
select n.id_notification, n.evenement, n.priorite, n.titre::text as titre, n.corps::text as corps, n.donnees, n.date,
       exists (select from notification.lecture l
                where l.id_utilisateur = (select core.utilisateur()) and l.id_notification = n.id_notification) as lue
  from notification.notification n
 where (select core.utilisateur()) is null
    or ((n.permission is null or n.permission in (
          select p.code from auth.utilisateur u
            join auth.role_permission rp on rp.id_role = u.id_role
            join auth.permission p on p.id_permission = rp.id_permission
           where u.id_utilisateur = (select core.utilisateur())))
        and (n.id_caisse is null or (select core.caisse()) is null or n.id_caisse = (select core.caisse()))
        and (n.id_activite is null or (select core.activite()) is null or n.id_activite = (select core.activite()))
        and (n.id_utilisateur is null or n.id_utilisateur = (select core.utilisateur())));
comment on view notification.notification_vue is
  'Notifications que l''utilisateur peut voir : sa permission, sa caisse, son activité ou lui-même.';
comment on column notification.notification_vue.donnees is 'Ce dont il s''agit, par ses identifiants.';
comment on column notification.notification_vue.lue is 'Vrai si l''utilisateur l''a lue.';

create function notification._emettre(
  p_evenement text, p_priorite notification.priorite, p_titre text, p_corps text, p_donnees jsonb,
  p_permission text, p_id_caisse bigint, p_id_activite bigint, p_id_utilisateur bigint)
returns void
language sql volatile
begin atomic
  insert into notification.notification (evenement, priorite, titre, corps, donnees,
                                         permission, id_caisse, id_activite, id_utilisateur)
  values (p_evenement, p_priorite, p_titre, p_corps, p_donnees,
          p_permission, p_id_caisse, p_id_activite, p_id_utilisateur);
end;
comment on function notification._emettre(text, notification.priorite, text, text, jsonb, text, bigint, bigint, bigint) is
  'Écrit une notification pour qui a la permission, et, s''ils sont donnés, pour cette caisse, cette activité, cet utilisateur seulement.';
