create function finances.categorie_depense_detail(p_id_categorie_depense bigint) returns finances.categorie_depense_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return finances._categorie_depense(p_id_categorie_depense);
comment on function finances.categorie_depense_detail is 'Une catégorie de dépense.';
