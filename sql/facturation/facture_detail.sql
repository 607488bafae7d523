create function facturation.facture_detail(p_id_facture bigint) returns facturation.facture_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return facturation._facture(p_id_facture);
comment on function facturation.facture_detail is 'Une facture et ses lignes.';
