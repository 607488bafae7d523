create type market.categorie_produit_champs as (libelle core.libelle, actif boolean);
comment on type market.categorie_produit_champs is 'Champs modifiables d''une catégorie de produits.';

create function market.categorie_produit_modifier(p_id_categorie_produit bigint, p_champs jsonb)
returns market.categorie_produit_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.categorie_produit;
begin
  perform market.categorie_produit_detail(p_id_categorie_produit);
  select * into strict v from market.categorie_produit c
   where c.id_categorie_produit = p_id_categorie_produit for no key update;
  v := jsonb_populate_record(v, p_champs);
  update market.categorie_produit c set (libelle, actif) = row(v.libelle, v.actif)
   where c.id_categorie_produit = p_id_categorie_produit;
  return market.categorie_produit_detail(p_id_categorie_produit);
end $$;
comment on function market.categorie_produit_modifier is 'Modifie une catégorie de produits, ou la réactive.';
