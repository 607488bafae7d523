create function residence.sejour_detail(p_id_sejour bigint) returns residence.sejour_court_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select s from residence.sejour_court_vue s where s.id_sejour = p_id_sejour));
end $$;
comment on function residence.sejour_detail is 'Un séjour et ce qui en est payé.';
