create function auth.role_permission_ajouter(p_id_role bigint, p_id_permission bigint) returns auth.permission_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth._preuve_exiger();
  perform auth.role_detail(p_id_role);
  perform auth._permissions_exiger(array[p_id_permission]);
  insert into auth.role_permission (id_role, id_permission) values (p_id_role, p_id_permission);
  return core._trouve((select p from auth.permission_vue p where p.id_permission = p_id_permission));
end $$;
comment on function auth.role_permission_ajouter is
  'Ajoute une permission à un rôle. Effet en 60 secondes au plus, sans reconnexion.';
