create function restaurant.categorie_plat_lister() returns setof restaurant.categorie_plat_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select c.* from restaurant.categorie_plat_vue c order by c.libelle, c.id_categorie_plat;
end $$;
comment on function restaurant.categorie_plat_lister is 'Catégories de plats, par libellé.';
