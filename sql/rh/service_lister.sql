create function rh.service_lister() returns setof rh.service_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select * from rh.service_vue s order by s.libelle, s.id_service;
end $$;
comment on function rh.service_lister is 'Les services, par ordre alphabétique.';
