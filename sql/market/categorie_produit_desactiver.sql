create function market.categorie_produit_desactiver(p_id_categorie_produit bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform market.categorie_produit_detail(p_id_categorie_produit);
  update market.categorie_produit c set actif = false where c.id_categorie_produit = p_id_categorie_produit;
end $$;
comment on function market.categorie_produit_desactiver is
  'Désactive une catégorie de produits : elle sort des listes, ses produits la gardent.';
