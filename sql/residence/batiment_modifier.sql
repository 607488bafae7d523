create type residence.batiment_champs as (
  code residence.code_batiment, nom core.libelle, adresse core.texte, actif boolean);
comment on type residence.batiment_champs is 'Ce qui se modifie dans un bâtiment.';

create function residence.batiment_modifier(p_id_batiment bigint, p_champs jsonb) returns residence.batiment_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update residence.batiment b
     set (code, nom, adresse, actif) =
         (select v.code, v.nom, v.adresse, v.actif from jsonb_populate_record(b, p_champs) v)
   where b.id_batiment = p_id_batiment and residence._visible();
  return residence.batiment_detail(p_id_batiment);
end $$;
comment on function residence.batiment_modifier is
  'Modifie un bâtiment ; les numéros déjà donnés à ses logements restent.';
