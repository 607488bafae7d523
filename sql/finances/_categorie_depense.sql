create view finances.categorie_depense_vue as
select c.id_categorie_depense, c.libelle::text as libelle
  from finances.categorie_depense c;
comment on view finances.categorie_depense_vue is 'Catégories de dépenses.';
call core.jamais_null('finances.categorie_depense_vue', 'libelle');
