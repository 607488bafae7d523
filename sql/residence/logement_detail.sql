create function residence.logement_detail(p_id_logement bigint) returns residence.logement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select l from residence.logement_vue l where l.id_logement = p_id_logement));
end $$;
comment on function residence.logement_detail is 'Un logement.';
