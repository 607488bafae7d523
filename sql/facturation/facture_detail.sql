create function facturation.facture_detail(p_id_facture bigint) returns facturation.facture_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v facturation.facture_detail_vue;
begin
  select * into strict v from facturation.facture_detail_vue f where f.id_facture = p_id_facture;
  return v;
end $$;
comment on function facturation.facture_detail is 'Une facture et ses lignes.';
