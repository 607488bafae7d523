create function pressing.type_vetement_detail(p_id_type_vetement bigint) returns pressing.type_vetement_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return pressing._type_vetement(p_id_type_vetement);
comment on function pressing.type_vetement_detail is 'Un type de vêtement du catalogue.';
