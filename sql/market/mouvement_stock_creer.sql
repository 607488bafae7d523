create function market._cout_permis(p_cout_unitaire core.montant, p_type market.type_mouvement, p_quantite numeric)
returns void
language plpgsql stable as $$
begin
  perform market._activite();
  perform core._montant_verifier('cout_unitaire', p_cout_unitaire);
  if p_cout_unitaire is not null and (p_type = 'SORTIE' or p_quantite < 0) then
    perform core.refuser(400, 'COUT_D_UNE_SORTIE',
      'Ce qui sort part au coût moyen du stock : seule une entrée a un coût.');
  end if;
end $$;
comment on function market._cout_permis is 'Refuse un coût trop grand, ou donné à ce qui sort. Refuse COUT_D_UNE_SORTIE.';

call core.creation('market.mouvement_stock_creer', 'market.mouvement_stock', 'market._mouvement_stock',
  'market._cout_permis(p_cout_unitaire, p_type, p_quantite)', 'id_produit', 'type', 'quantite', 'motif', 'document_ref',
  'cout_unitaire core.montant default null');
comment on function market.mouvement_stock_creer is
  'Fait entrer, sortir ou ajuster le stock d''un produit ; la quantité d''un AJUSTEMENT est signée. Une entrée sans « cout_unitaire » prend le coût moyen, ou le prix d''achat de la fiche quand le stock est vide : « origine_cout » le dit.';
