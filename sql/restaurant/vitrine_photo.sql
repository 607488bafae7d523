create type restaurant.vitrine_image as (cle_objet core.cle_objet);
comment on type restaurant.vitrine_image is 'Clé de la photo.';

create function restaurant.vitrine_photo(p_id_plat bigint) returns restaurant.vitrine_image
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform core._vitrine_ouverte();
  return core._trouve((select row(p.image_url)::restaurant.vitrine_image from restaurant.plat p
                        where p.id_plat = p_id_plat and p.disponible and p.image_url is not null));
end $$;
comment on function restaurant.vitrine_photo is 'Photo d''un plat de la vitrine.';
