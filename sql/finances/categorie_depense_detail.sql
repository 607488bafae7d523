create function finances.categorie_depense_detail(p_id_categorie_depense bigint) returns finances.categorie_depense_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.categorie_depense_vue;
begin
  select * into strict v from finances.categorie_depense_vue x where x.id_categorie_depense = p_id_categorie_depense;
  return v;
end $$;
comment on function finances.categorie_depense_detail is 'Une catégorie de dépense.';
