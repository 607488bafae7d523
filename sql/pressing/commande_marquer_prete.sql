create function pressing.commande_marquer_prete(p_id_commande bigint) returns pressing.commande_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pressing._commande_passer(p_id_commande, 'PRET');
  return pressing.commande_detail(p_id_commande);
end $$;
comment on function pressing.commande_marquer_prete is 'Marque une commande prête, et le signale.';
