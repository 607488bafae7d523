-- The shop window, without an account. It shows what helps to choose, and nothing of the business.

create view restaurant.vitrine_vue as
select p.id_plat, p.nom, p.id_categorie_plat, c.libelle as categorie_libelle, p.description, p.prix,
       case when p.image_url is not null then format('/api/v1/restaurant/vitrine/%s/image', p.id_plat) end as image_url
  from restaurant.plat p
  left join restaurant.categorie_plat c on c.id_categorie_plat = p.id_categorie_plat
 where p.disponible;
comment on view restaurant.vitrine_vue is 'Plats disponibles, tels qu''ils se montrent sans compte.';
comment on column restaurant.vitrine_vue.image_url is 'Adresse publique de la photo.';
call core.null_comme('restaurant.vitrine_vue', 'restaurant.plat');
call core.peut_etre_null('restaurant.vitrine_vue', 'categorie_libelle');

create function restaurant.vitrine_lister(
  p_recherche text default null, p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_categorie_plat bigint default null)
returns setof restaurant.vitrine_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform core._vitrine_ouverte();
  return query execute core._liste('restaurant.vitrine_vue', $filtre$
        ($1 is null or core._contient(v.nom, $1))
    and ($2 is null or v.id_categorie_plat = $2)
  $filtre$, 'v.nom, v.id_plat', null, null, p_limit, p_offset)
  using p_recherche, p_id_categorie_plat;
end $$;
comment on function restaurant.vitrine_lister is
  'Plats disponibles, par nom, sans compte, là où le réglage VITRINE est 1.';
