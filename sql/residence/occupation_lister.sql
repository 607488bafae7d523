create type residence.occupation_batiment as (
  id_batiment bigint, code text, nom text, total integer, occupes integer, reserves integer, disponibles integer,
  autres integer, taux core.nombre_signe);
comment on type residence.occupation_batiment is 'Logements d''un bâtiment selon leur état.';
comment on column residence.occupation_batiment.autres is 'En nettoyage, en maintenance ou indisponibles.';
comment on column residence.occupation_batiment.taux is 'Logements occupés, en pour cent du total ; 0 sans logement.';

create function residence.occupation_lister() returns setof residence.occupation_batiment
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
  select b.id_batiment, b.code::text, b.nom::text, n.total, n.occupes, n.reserves, n.disponibles,
         n.total - n.occupes - n.reserves - n.disponibles,
         coalesce(round(100.0 * n.occupes / nullif(n.total, 0), 2), 0)::core.nombre_signe
    from residence.batiment_vue b
   cross join lateral (
     select count(*)::integer as total,
            count(*) filter (where l.statut = 'OCCUPE')::integer as occupes,
            count(*) filter (where l.statut = 'RESERVE')::integer as reserves,
            count(*) filter (where l.statut = 'DISPONIBLE')::integer as disponibles
       from residence.logement l where l.id_batiment = b.id_batiment) n
   order by b.code;
end $$;
comment on function residence.occupation_lister is 'Occupation présente de chaque bâtiment, par code.';
