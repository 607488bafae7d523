create function echange.import_detail(p_id_import bigint) returns echange.import_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v echange.import_detail_vue;
begin
  select * into strict v from echange.import_detail_vue i where i.id_import = p_id_import;
  return v;
end $$;
comment on function echange.import_detail is
  'Un import : où il en est, les colonnes reconnues, ce qui ne va pas dans ses lignes.';
