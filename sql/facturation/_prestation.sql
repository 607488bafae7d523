create view facturation.prestation_vue as
select p.id_prestation, p.libelle, p.categorie, p.prix, p.description, p.id_activite, p.actif,
       (select a.code from core.activite a where a.id_activite = p.id_activite) as activite_code,
       p.code_taxe::core.code
  from facturation.prestation p
 where p.id_activite is null or core._visible(p.id_activite, (select core.activite()));
comment on view facturation.prestation_vue is 'Prestations que l''utilisateur peut voir : celles de son activité et celles de toutes, ou toutes.';
call core.peut_etre_null('facturation.prestation_vue', 'activite_code');
