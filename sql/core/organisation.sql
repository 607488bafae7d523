create function core.organisation() returns core.organisation
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._organisation();
comment on function core.organisation is 'L''organisation, pour l''en-tête et les heures des rapports.';
