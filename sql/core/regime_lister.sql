create function core.regime_lister() returns setof core.regime_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from core.regime_vue r order by r.du desc;
end;
comment on function core.regime_lister is 'Régimes de l''organisation, le dernier d''abord ; ASSUJETTI avant le premier.';
