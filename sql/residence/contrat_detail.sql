create function residence.contrat_detail(p_id_contrat bigint) returns residence.contrat_location_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return residence._contrat(p_id_contrat);
comment on function residence.contrat_detail is 'Un contrat, ses échéances et les révisions de son loyer.';
