create function restaurant.plat_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_categorie_plat bigint default null, p_disponible boolean default null, p_nom text default null,
  p_prix core.montant default null)
returns setof restaurant.plat_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('restaurant.plat_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.nom, v.description), $1))
    and ($2 is null or v.id_categorie_plat = $2)
    and ($3 is null or v.disponible = $3)
    and ($4 is null or core._contient(v.nom, $4))
    and ($5 is null or v.prix = $5)
  $filtre$, 'v.nom, v.id_plat', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_id_categorie_plat, p_disponible, p_nom, p_prix;
end $$;
comment on function restaurant.plat_lister is 'Plats de la carte, par nom, indisponibles compris.';
