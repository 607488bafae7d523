create function salle_fete.type_manifestation_detail(p_id_type_manifestation bigint)
returns salle_fete.type_manifestation_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return salle_fete._type_manifestation(p_id_type_manifestation);
comment on function salle_fete.type_manifestation_detail is 'Un type de manifestation.';
