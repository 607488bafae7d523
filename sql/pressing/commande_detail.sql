create function pressing.commande_detail(p_id_commande bigint) returns pressing.commande_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select c from pressing.commande_detail_vue c where c.id_commande = p_id_commande));
end $$;
comment on function pressing.commande_detail is 'Une commande de pressing et son linge.';
