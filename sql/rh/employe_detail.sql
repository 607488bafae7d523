create function rh.employe_detail(p_id_employe bigint) returns rh.employe_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select e from rh.employe_vue e where e.id_employe = p_id_employe));
end $$;
comment on function rh.employe_detail is 'Un employé.';
