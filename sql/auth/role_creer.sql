create function auth.role_creer(p_code core.code, p_libelle core.libelle, p_description core.texte default null)
returns auth.role_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_role bigint;
begin
  insert into auth.role (code, libelle, description) values (p_code, p_libelle, p_description)
  returning id_role into v_id_role;
  return auth.role_detail(v_id_role);
end $$;
comment on function auth.role_creer is 'Crée un rôle, sans permission.';
