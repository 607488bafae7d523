create type pressing.catalogue as (
  types_vetement pressing.type_vetement_vue[], prestations pressing.prestation_pressing_vue[]);
comment on type pressing.catalogue is 'Catalogue du pressing, par libellé, libellés désactivés compris.';
comment on column pressing.catalogue.types_vetement is 'Ce qui se dépose, par exemple « Chemise ».';
comment on column pressing.catalogue.prestations is 'Ce qui s''en fait, par exemple « Lavage et repassage ».';

create function pressing.catalogue_detail() returns pressing.catalogue
language sql stable security definer set search_path = pg_catalog, pg_temp
return row(
  array(select t from pressing.type_vetement_vue t order by t.libelle, t.id_type_vetement),
  array(select p from pressing.prestation_pressing_vue p order by p.libelle, p.id_prestation))::pressing.catalogue;
comment on function pressing.catalogue_detail is
  'Types de vêtement et prestations du pressing, par libellé ; ceux qui sont désactivés ne servent plus à de nouvelles lignes.';
