create function market.categorie_produit_detail(p_id_categorie_produit bigint) returns market.categorie_produit_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((
    select c from market.categorie_produit_vue c where c.id_categorie_produit = p_id_categorie_produit));
end $$;
comment on function market.categorie_produit_detail is 'Une catégorie de produit.';
