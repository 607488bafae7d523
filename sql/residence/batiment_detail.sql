create function residence.batiment_detail(p_id_batiment bigint) returns residence.batiment_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select b from residence.batiment_vue b where b.id_batiment = p_id_batiment));
end $$;
comment on function residence.batiment_detail is 'Un bâtiment.';
