create type echange.stock as (
  reference core.libelle, nom core.libelle, id_produit bigint, quantite market.stock, motif core.texte,
  document_ref core.libelle, cout_unitaire core.montant);
comment on type echange.stock is 'Une ligne d''une feuille de stock d''ouverture.';
comment on column echange.stock.reference is 'Référence : ou code-barres du produit.';
comment on column echange.stock.nom is 'Nom : du produit, si sa référence n''est pas donnée.';
comment on column echange.stock.id_produit is 'Identifiant du produit : si rien d''autre ne le nomme.';
comment on column echange.stock.quantite is 'Quantité : comptée au jour de l''import.';
comment on column echange.stock.motif is 'Motif : ce qui reste écrit au mouvement.';
comment on column echange.stock.document_ref is 'Document : numéro de l''inventaire.';
comment on column echange.stock.cout_unitaire is 'Coût d''une unité : le prix d''achat de la fiche si rien n''est dit.';
call core.peut_etre_null('echange.stock', 'reference', 'nom', 'id_produit', 'motif', 'document_ref', 'cout_unitaire');

create function echange._stock(p echange.stock) returns echange.issue
language plpgsql volatile as $$
declare
  v echange.issue;
  v_id_produit bigint := echange._produit((p).id_produit, (p).reference, (p).nom);
begin
  v.repere := v_id_produit::text;
  perform market._produits_verrouiller(array[v_id_produit]);
  select m.id_mouvement into v.id_entite from market.mouvement_stock m
   where m.id_produit = v_id_produit and m.type = 'ENTREE' and m.motif like 'Stock initial%'
     and not echange._defait('stock', m.id_mouvement)
   limit 1;
  v.deja := found or (p).quantite = 0;
  if not v.deja then
    v.id_entite := (market.mouvement_stock_creer(
      p_id_produit => v_id_produit, p_type => 'ENTREE', p_quantite => (p).quantite,
      p_motif => concat_ws(', ', 'Stock initial', (p).motif), p_document_ref => (p).document_ref,
      p_cout_unitaire => (p).cout_unitaire)).id_mouvement;
  end if;
  return v;
end $$;
comment on function echange._stock is 'Fait entrer le stock d''ouverture d''un produit, une seule fois.';
