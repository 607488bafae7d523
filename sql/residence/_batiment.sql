create view residence.batiment_vue as
select b.id_batiment, b.code, b.nom, b.adresse, b.actif
  from residence.batiment b
 where (select residence._visible());
comment on view residence.batiment_vue is 'Bâtiments.';
