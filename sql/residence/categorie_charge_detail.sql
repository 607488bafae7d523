create function residence.categorie_charge_detail(p_id_categorie_charge bigint) returns residence.categorie_charge_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return residence._categorie_charge(p_id_categorie_charge);
comment on function residence.categorie_charge_detail is 'Une catégorie de charge.';
