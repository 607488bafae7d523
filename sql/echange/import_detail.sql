create function echange.import_detail(p_id_import bigint) returns echange.import_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return echange._import(p_id_import);
comment on function echange.import_detail is
  'Un import : où il en est, les colonnes reconnues, ce qui ne va pas dans ses lignes.';
