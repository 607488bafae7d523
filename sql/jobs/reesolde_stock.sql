create function jobs.reesolde_stock() returns market.stock_bilan
language sql volatile security definer set search_path = pg_catalog, pg_temp
return market.stock_reesolder();
comment on function jobs.reesolde_stock is
  'Recalcule le stock de la boutique depuis ses mouvements, comme chaque nuit, et rend chaque écart corrigé.';
