create function salle_fete.type_manifestation_detail(p_id_type_manifestation bigint)
returns salle_fete.type_manifestation_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((
    select t from salle_fete.type_manifestation_vue t where t.id_type_manifestation = p_id_type_manifestation));
end $$;
comment on function salle_fete.type_manifestation_detail is 'Un type de manifestation.';
