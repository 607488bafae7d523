create function market.produit_creer(
  p_nom core.libelle, p_prix_achat core.montant, p_prix_vente core.montant, p_id_categorie_produit bigint default null,
  p_quantite_initiale market.stock default 0, p_seuil_alerte market.stock default 0,
  p_id_fournisseur bigint default null, p_date_entree date default null, p_actif boolean default true,
  p_image_url core.cle_objet default null, p_reference core.libelle default null,
  p_code_barre market.code_barre default null, p_code_taxe core.code default null)
returns market.produit_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_produit bigint;
begin
  perform market._activite();
  insert into market.produit as p (nom, id_categorie_produit, prix_achat, prix_vente, seuil_alerte, id_fournisseur,
                                   date_entree, actif, image_url, reference, code_barre, code_taxe)
  values (p_nom, p_id_categorie_produit, p_prix_achat, p_prix_vente, p_seuil_alerte, p_id_fournisseur,
          coalesce(p_date_entree, core.aujourdhui()), p_actif, p_image_url, p_reference, p_code_barre,
          p_code_taxe)
  returning p.id_produit into v_id_produit;
  if p_quantite_initiale > 0 then
    insert into market.mouvement_stock (id_produit, type, quantite, motif)
    values (v_id_produit, 'ENTREE', p_quantite_initiale, 'Stock initial');
  end if;
  return market.produit_detail(v_id_produit);
end $$;
comment on function market.produit_creer is
  'Ajoute un produit ; sans référence la base lui en donne une, et la quantité initiale devient un mouvement d''entrée. « code_barre » est le code lu ou tapé : la clé d''un EAN-13 est vérifiée, un autre code est pris comme il est.';
-- The movement is an ENTREE.
call core.ne_refuse_pas('market.produit_creer', 'STOCK_INSUFFISANT');
