create type market.categorie_produit_champs as (libelle core.libelle, actif boolean);
comment on type market.categorie_produit_champs is 'Champs modifiables d''une catégorie de produits.';

create function market.categorie_produit_modifier(p_id_categorie_produit bigint, p_champs jsonb)
returns market.categorie_produit_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update market.categorie_produit c
     set (libelle, actif) = (select v.libelle, v.actif from jsonb_populate_record(c, p_champs) v)
   where c.id_categorie_produit = p_id_categorie_produit and market._visible();
  return market.categorie_produit_detail(p_id_categorie_produit);
end $$;
comment on function market.categorie_produit_modifier is 'Modifie une catégorie de produits, ou la réactive.';
