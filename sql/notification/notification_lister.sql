call core.liste(
  'notification.notification_lister', 'notification.notification_vue', 'v.date desc, v.id_notification desc',
  'recherche: core._contient(v.titre, $) or core._contient(v.corps, $)', 'lue');
comment on function notification.notification_lister is
  'Liste les notifications de l''utilisateur, la dernière d''abord ; seulement celles que ses permissions, sa caisse et son activité lui laissent voir.';
