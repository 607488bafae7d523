create function restaurant.plat_illustrer(p_id_plat bigint, p_image_url core.cle_objet) returns restaurant.plat_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform restaurant.plat_detail(p_id_plat);
  update restaurant.plat p set image_url = p_image_url where p.id_plat = p_id_plat;
  return restaurant.plat_detail(p_id_plat);
end $$;
comment on function restaurant.plat_illustrer is 'Inscrit la photo d''un plat, à la place de l''ancienne.';
