create view restaurant.categorie_plat_vue as
select c.id_categorie_plat, c.libelle
  from restaurant.categorie_plat c
 where (select restaurant._visible());
comment on view restaurant.categorie_plat_vue is 'Catégories de plats.';

call core.detail('restaurant._categorie_plat', 'restaurant.categorie_plat_vue', 'id_categorie_plat');
comment on function restaurant._categorie_plat is 'Une catégorie de plats. Refuse NOT_FOUND.';

create view restaurant.plat_vue as
select p.id_plat, p.nom, p.id_categorie_plat, p.prix, p.disponible, p.description, p.image_url,
       (select c.libelle from restaurant.categorie_plat c where c.id_categorie_plat = p.id_categorie_plat)
         as categorie_libelle,
       p.code_taxe::core.code
  from restaurant.plat p
 where (select restaurant._visible());
comment on view restaurant.plat_vue is 'Plats de la carte.';
call core.peut_etre_null('restaurant.plat_vue', 'categorie_libelle');
