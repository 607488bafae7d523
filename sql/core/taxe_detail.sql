create function core.taxe_detail(p_id_taxe bigint) returns core.taxe_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._taxe(p_id_taxe);
comment on function core.taxe_detail is 'Un taux.';
