create function facturation.avoir_detail(p_id_avoir bigint) returns facturation.avoir_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v facturation.avoir_detail_vue;
begin
  select * into strict v from facturation.avoir_detail_vue a where a.id_avoir = p_id_avoir;
  return v;
end $$;
comment on function facturation.avoir_detail is 'Un avoir et ses lignes.';
