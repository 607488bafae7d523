create function notification.notification_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0, p_lue boolean default null)
returns setof notification.notification_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('notification.notification_vue', $filtre$
        ($1 is null or core._contient(v.titre, $1) or core._contient(v.corps, $1))
    and ($2 is null or v.lue = $2)
  $filtre$, 'v.date desc, v.id_notification desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_lue;
end $$;
comment on function notification.notification_lister is
  'Liste les notifications de l''utilisateur, la dernière d''abord ; seulement celles que ses permissions, sa caisse et son activité lui laissent voir.';
