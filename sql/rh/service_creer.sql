create function rh.service_creer(p_libelle core.libelle) returns rh.service_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_service bigint;
begin
  insert into rh.service (libelle) values (p_libelle) returning id_service into v_id_service;
  return rh.service_detail(v_id_service);
end $$;
comment on function rh.service_creer is 'Crée un service.';
