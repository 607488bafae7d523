create function market.vente_detail(p_id_vente bigint) returns market.vente_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select x from market.vente_detail_vue x where x.id_vente = p_id_vente));
end $$;
comment on function market.vente_detail is 'Une vente et ses lignes.';
