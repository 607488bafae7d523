create function market.categorie_produit_creer(p_libelle core.libelle) returns market.categorie_produit_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_categorie_produit bigint;
begin
  perform market._activite();
  insert into market.categorie_produit as c (libelle) values (p_libelle)
  returning c.id_categorie_produit into v_id_categorie_produit;
  return market.categorie_produit_detail(v_id_categorie_produit);
end $$;
comment on function market.categorie_produit_creer is 'Ajoute une catégorie de produits.';
