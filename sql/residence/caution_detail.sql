create function residence.caution_detail(p_id_contrat bigint) returns residence.caution_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return residence._caution(p_id_contrat);
end $$;
comment on function residence.caution_detail is 'Caution d''un contrat et son histoire.';
