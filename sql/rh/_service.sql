-- The view of services.

create view rh.service_vue as
select s.id_service, s.libelle
  from rh.service s;
comment on view rh.service_vue is 'Services de l''entreprise.';

create function rh._service(p_id_service bigint) returns rh.service_vue
language plpgsql stable as $$
declare
  v rh.service_vue;
begin
  select * into strict v from rh.service_vue s where s.id_service = p_id_service;
  return v;
end $$;
comment on function rh._service is 'Un service. Refuse NOT_FOUND.';
