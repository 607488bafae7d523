create view abonnement.categorie_abonnement_vue as
select c.id_categorie_abonnement, coalesce(c.code, 'CAT_' || c.id_categorie_abonnement)::core.code as code,
       c.libelle, c.description, c.actif
  from abonnement.categorie_abonnement c
 where (select abonnement._visible());
comment on view abonnement.categorie_abonnement_vue is 'Catégories d''abonnements.';
comment on column abonnement.categorie_abonnement_vue.actif is 'Une catégorie inactive ne se choisit plus.';
