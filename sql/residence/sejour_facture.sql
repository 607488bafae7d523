create function residence.sejour_facture(p_id_sejour bigint) returns facturation.facture_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform residence.sejour_detail(p_id_sejour);
  return core._trouve((
    select f from facturation.facture_detail_vue f
     where f.source_type = 'SEJOUR' and f.source_id = p_id_sejour order by f.id_facture desc limit 1));
end $$;
comment on function residence.sejour_facture is 'La facture d''un séjour et ses lignes.';
