create function finances.depense_detail(p_id_depense bigint) returns finances.depense_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.depense_vue;
begin
  select * into strict v from finances.depense_vue d where d.id_depense = p_id_depense;
  return v;
end $$;
comment on function finances.depense_detail is 'Une dépense.';
