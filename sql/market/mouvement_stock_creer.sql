create function market.mouvement_stock_creer(
  p_id_produit bigint, p_type market.type_mouvement, p_quantite market.quantite_signee, p_motif core.texte default null,
  p_document_ref core.libelle default null)
returns market.mouvement_stock_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_mouvement bigint;
begin
  perform market._activite();
  insert into market.mouvement_stock as m (id_produit, type, quantite, motif, document_ref)
  values (p_id_produit, p_type, p_quantite, p_motif, p_document_ref)
  returning m.id_mouvement into v_id_mouvement;
  return (select m from market.mouvement_stock_vue m where m.id_mouvement = v_id_mouvement);
end $$;
comment on function market.mouvement_stock_creer is
  'Fait entrer, sortir ou ajuster le stock d''un produit ; la quantité d''un AJUSTEMENT est signée.';
