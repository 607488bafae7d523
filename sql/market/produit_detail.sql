create function market.produit_detail(p_id_produit bigint) returns market.produit_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select p from market.produit_vue p where p.id_produit = p_id_produit));
end $$;
comment on function market.produit_detail is 'Un produit et son stock.';
