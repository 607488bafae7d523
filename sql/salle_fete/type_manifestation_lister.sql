create function salle_fete.type_manifestation_lister() returns setof salle_fete.type_manifestation_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from salle_fete.type_manifestation_vue t order by t.libelle, t.id_type_manifestation;
end;
comment on function salle_fete.type_manifestation_lister is
  'Types de manifestation du catalogue, par libellé ; ceux qui sont désactivés ne servent plus à de nouvelles réservations.';
