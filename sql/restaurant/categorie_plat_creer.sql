create function restaurant.categorie_plat_creer(p_libelle core.libelle) returns restaurant.categorie_plat_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v restaurant.categorie_plat_vue;
begin
  perform restaurant._activite();
  insert into restaurant.categorie_plat as c (libelle) values (p_libelle)
  returning c.id_categorie_plat, c.libelle into v;
  return v;
end $$;
comment on function restaurant.categorie_plat_creer is 'Ajoute une catégorie de plats.';
