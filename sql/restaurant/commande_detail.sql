create function restaurant.commande_detail(p_id_commande bigint) returns restaurant.commande_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select x from restaurant.commande_detail_vue x where x.id_commande = p_id_commande));
end $$;
comment on function restaurant.commande_detail is 'Une commande et ses lignes.';
