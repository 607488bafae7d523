create view market.categorie_produit_vue as
select c.id_categorie_produit, c.libelle, c.actif
  from market.categorie_produit c
 where (select market._visible());
comment on view market.categorie_produit_vue is 'Catégories de produits.';

create function market._categorie_produit(p_id_categorie_produit bigint) returns market.categorie_produit_vue
language plpgsql stable as $$
declare
  v market.categorie_produit_vue;
begin
  select * into strict v from market.categorie_produit_vue c where c.id_categorie_produit = p_id_categorie_produit;
  return v;
end $$;
comment on function market._categorie_produit is 'Une catégorie de produits visible par l''utilisateur. Refuse NOT_FOUND.';
