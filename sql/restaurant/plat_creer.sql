create function restaurant.plat_creer(
  p_nom core.libelle, p_prix core.montant, p_id_categorie_plat bigint default null, p_disponible boolean default true,
  p_description core.texte default null, p_image_url core.cle_objet default null,
  p_code_taxe core.code default null)
returns restaurant.plat_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_plat bigint;
begin
  perform restaurant._activite();
  insert into restaurant.plat as p (nom, id_categorie_plat, prix, disponible, description, image_url, code_taxe)
  values (p_nom, p_id_categorie_plat, p_prix, p_disponible, p_description, p_image_url, p_code_taxe)
  returning p.id_plat into v_id_plat;
  return restaurant.plat_detail(v_id_plat);
end $$;
comment on function restaurant.plat_creer is 'Ajoute un plat à la carte.';
