create function residence.categorie_charge_detail(p_id_categorie_charge bigint) returns residence.categorie_charge_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((
    select c from residence.categorie_charge_vue c where c.id_categorie_charge = p_id_categorie_charge));
end $$;
comment on function residence.categorie_charge_detail is 'Une catégorie de charge.';
