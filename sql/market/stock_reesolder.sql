create function market.stock_reesolder() returns market.stock_bilan
language sql volatile security definer set search_path = pg_catalog, pg_temp
return market._stock_reesolder();
comment on function market.stock_reesolder is
  'Recalcule le stock de chaque produit depuis ses mouvements et rend chaque écart corrigé.';
