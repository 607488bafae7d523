create function core.organisation() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return to_jsonb(core._organisation()) || jsonb_build_object('decimales', core.decimales());
comment on function core.organisation is 'L''organisation, pour l''en-tête et les heures des rapports.';
