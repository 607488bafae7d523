create view market.categorie_produit_vue as
select c.id_categorie_produit, c.libelle, c.actif
  from market.categorie_produit c
 where (select market._visible());
comment on view market.categorie_produit_vue is 'Catégories de produits.';
