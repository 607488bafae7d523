create function finances.depense_detail(p_id_depense bigint) returns finances.depense_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return finances._depense(p_id_depense);
comment on function finances.depense_detail is 'Une dépense.';
