create function core.taxe_detail(p_id_taxe bigint) returns core.taxe_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v core.taxe_vue;
begin
  select * into strict v from core.taxe_vue t where t.id_taxe = p_id_taxe;
  return v;
end $$;
comment on function core.taxe_detail is 'Un taux.';
