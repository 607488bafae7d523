create type restaurant.plat_champs as (
  nom core.libelle, id_categorie_plat bigint, prix core.montant, disponible boolean, description core.texte,
  image_url core.cle_objet, code_taxe core.code);
comment on type restaurant.plat_champs is 'Champs modifiables d''un plat.';

create function restaurant.plat_modifier(p_id_plat bigint, p_champs jsonb) returns restaurant.plat_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update restaurant.plat p
     set (nom, id_categorie_plat, prix, disponible, description, image_url, code_taxe) =
         (select v.nom, v.id_categorie_plat, v.prix, v.disponible, v.description, v.image_url, v.code_taxe
            from jsonb_populate_record(p, p_champs) v)
   where p.id_plat = p_id_plat and restaurant._visible();
  return restaurant.plat_detail(p_id_plat);
end $$;
comment on function restaurant.plat_modifier is
  'Modifie les champs donnés d''un plat ; les commandes passées gardent leur prix.';
