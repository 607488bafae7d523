create type market.vitrine_image as (cle_objet core.cle_objet);
comment on type market.vitrine_image is 'Clé de la photo.';

create function market.vitrine_photo(p_id_produit bigint) returns market.vitrine_image
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform core._vitrine_ouverte();
  return core._trouve((select row(p.image_url)::market.vitrine_image from market.produit p
                        where p.id_produit = p_id_produit and p.actif and p.image_url is not null));
end $$;
comment on function market.vitrine_photo is 'Photo d''un produit de la vitrine.';
