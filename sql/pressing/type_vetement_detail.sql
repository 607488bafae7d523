create function pressing.type_vetement_detail(p_id_type_vetement bigint) returns pressing.type_vetement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select t from pressing.type_vetement_vue t where t.id_type_vetement = p_id_type_vetement));
end $$;
comment on function pressing.type_vetement_detail is 'Un type de vêtement du catalogue.';
