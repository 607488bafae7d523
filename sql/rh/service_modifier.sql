create type rh.service_champs as (libelle core.libelle);
comment on type rh.service_champs is 'Ce qui se modifie dans un service.';

create function rh.service_modifier(p_id_service bigint, p_champs jsonb) returns rh.service_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update rh.service s set libelle = (jsonb_populate_record(s, p_champs)).libelle where s.id_service = p_id_service;
  return rh.service_detail(p_id_service);
end $$;
comment on function rh.service_modifier is 'Renomme un service.';
