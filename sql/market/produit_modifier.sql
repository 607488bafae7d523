create type market.produit_champs as (
  nom core.libelle, id_categorie_produit bigint, prix_achat core.montant, prix_vente core.montant,
  seuil_alerte market.stock, id_fournisseur bigint, actif boolean, image_url core.cle_objet,
  reference core.libelle, code_barre market.code_barre, code_taxe core.code);
comment on type market.produit_champs is 'Champs modifiables d''un produit ; son stock ne change que par des mouvements.';

create function market.produit_modifier(p_id_produit bigint, p_champs jsonb) returns market.produit_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update market.produit p
     set (nom, id_categorie_produit, prix_achat, prix_vente, seuil_alerte, id_fournisseur, actif, image_url, reference,
          code_barre, code_taxe) =
         (select v.nom, v.id_categorie_produit, v.prix_achat, v.prix_vente, v.seuil_alerte, v.id_fournisseur, v.actif,
                 v.image_url, v.reference, v.code_barre, v.code_taxe from jsonb_populate_record(p, p_champs) v)
   where p.id_produit = p_id_produit and market._visible();
  return market.produit_detail(p_id_produit);
end $$;
comment on function market.produit_modifier is
  'Modifie les champs donnés d''un produit ; les ventes passées gardent leur prix, le stock ne change pas.';
