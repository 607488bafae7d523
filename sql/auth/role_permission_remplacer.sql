create function auth.role_permission_remplacer(p_id_role bigint, p_id_permissions bigint[])
returns setof auth.permission_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from auth.role r where r.id_role = p_id_role for no key update;
  perform auth.role_detail(p_id_role);
  perform auth._permissions_exiger(array(
    select coalesce(a.id_permission, n.id_permission)
      from (select rp.id_permission from auth.role_permission rp where rp.id_role = p_id_role) a
      full join unnest(p_id_permissions) as n (id_permission) on n.id_permission = a.id_permission
     where a.id_permission is null or n.id_permission is null));
  if exists (select from unnest(p_id_permissions) as n (id_permission)
              where not exists (select from auth.role_permission rp
                                 where rp.id_role = p_id_role and rp.id_permission = n.id_permission)) then
    perform auth._preuve_exiger();
  end if;
  -- Only the differences are written, so that a permission that stays is never missing.
  delete from auth.role_permission rp
   where rp.id_role = p_id_role and rp.id_permission <> all (p_id_permissions);
  insert into auth.role_permission (id_role, id_permission)
  select p_id_role, d.id_permission from unnest(p_id_permissions) as d (id_permission)
  on conflict (id_role, id_permission) do nothing;
  return query select * from auth.role_permission_lister(p_id_role);
end $$;
comment on function auth.role_permission_remplacer is
  'Remplace toutes les permissions d''un rôle ; une liste vide les retire toutes. Effet en 60 secondes au plus, sans reconnexion.';
-- The parameter is a list.
call core.peut_refuser('auth.role_permission_remplacer', 'PERMISSION_INCONNUE');
