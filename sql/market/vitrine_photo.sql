create type market.vitrine_image as (cle_objet core.cle_objet);
comment on type market.vitrine_image is 'Clé de la photo.';

create function market.vitrine_photo(p_id_produit bigint) returns market.vitrine_image
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.vitrine_image;
begin
  perform core._vitrine_ouverte();
  select p.image_url into strict v.cle_objet
    from market.produit p where p.id_produit = p_id_produit and p.actif and p.image_url is not null;
  return v;
end $$;
comment on function market.vitrine_photo is 'Photo d''un produit de la vitrine.';
