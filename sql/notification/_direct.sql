-- The messages of the live channel. Existing clients know these field names.

create type notification.message as (title text, body text);
comment on type notification.message is 'Ce qui s''affiche.';

create type notification.destinataires as (rooms text[], "userIds" bigint[]);
comment on type notification.destinataires is 'À qui une notification s''adresse ; caisse et activité peuvent encore la réserver.';

create type notification.enveloppe as (
  id bigint, event text, priority notification.priorite, "timestamp" timestamptz, data jsonb,
  message notification.message, recipients notification.destinataires);
comment on type notification.enveloppe is 'Notification telle que le canal en direct l''envoie.';

create function notification._enveloppe(p notification.notification) returns notification.enveloppe
language sql immutable
return row(p.id_notification, p.evenement, p.priorite, p.date, p.donnees,
           row(p.titre, p.corps)::notification.message,
           row(case when p.permission is not null then array['perm:' || p.permission]
                    when p.id_utilisateur is null then array['tous'] else '{}'::text[] end,
               array_remove(array[p.id_utilisateur], null))::notification.destinataires)::notification.enveloppe;
comment on function notification._enveloppe is 'Enveloppe d''une notification.';
