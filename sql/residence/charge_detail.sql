create function residence.charge_detail(p_id_charge bigint) returns residence.charge_facturee_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select c from residence.charge_facturee_vue c where c.id_charge = p_id_charge));
end $$;
comment on function residence.charge_detail is 'Une charge et ce qui en est payé.';
