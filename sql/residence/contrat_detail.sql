create function residence.contrat_detail(p_id_contrat bigint) returns residence.contrat_location_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select c from residence.contrat_location_detail_vue c where c.id_contrat = p_id_contrat));
end $$;
comment on function residence.contrat_detail is 'Un contrat, ses échéances et les révisions de son loyer.';
