create type market.produit_champs as (
  nom core.libelle, id_categorie_produit bigint, prix_achat core.montant, prix_vente core.montant,
  seuil_alerte market.stock, id_fournisseur bigint, actif boolean, image_url core.cle_objet,
  reference core.libelle, code_barre market.code_barre, code_taxe core.code);
comment on type market.produit_champs is 'Champs modifiables d''un produit ; son stock ne change que par des mouvements.';

call core.modification('market.produit_modifier', 'market.produit', 'market.produit_detail');
comment on function market.produit_modifier is
  'Modifie les champs donnés d''un produit ; les ventes passées gardent leur prix, le stock ne change pas.';
