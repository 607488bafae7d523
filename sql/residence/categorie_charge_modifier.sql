create type residence.categorie_charge_champs as (libelle core.libelle, actif boolean);
comment on type residence.categorie_charge_champs is 'Ce qui se modifie d''une catégorie de charge.';

create function residence.categorie_charge_modifier(p_id_categorie_charge bigint, p_champs jsonb)
returns residence.categorie_charge_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update residence.categorie_charge c
     set (libelle, actif) = (select v.libelle, v.actif from jsonb_populate_record(c, p_champs) v)
   where c.id_categorie_charge = p_id_categorie_charge and residence._visible();
  return residence.categorie_charge_detail(p_id_categorie_charge);
end $$;
comment on function residence.categorie_charge_modifier is
  'Modifie une catégorie de charge, ou la désactive : ses charges restent.';
