create function core.regime_creer(p_regime core.regime_taxe, p_du date) returns core.regime_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into core.regime (regime, du) values (p_regime, p_du);
  return core._trouve((select r from core.regime_vue r where r.du = p_du));
end $$;
comment on function core.regime_creer is
  'Donne à l''organisation un régime depuis un jour ; les factures émises ne changent pas.';
