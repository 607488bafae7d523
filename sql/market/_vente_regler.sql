create type market.vente_reglement as (
  vente market.vente_detail_vue, facture facturation.facture_solde, numero text, id_paiement bigint);
comment on type market.vente_reglement is 'Vente et sa facture ; id_paiement est null si le total est zéro.';
comment on column market.vente_reglement.numero is 'Numéro de la facture.';
call core.peut_etre_null('market.vente_reglement', 'id_paiement');

create function market._vente_stock_sortir(p_id_vente bigint, p_motif core.texte) returns void
language sql volatile
begin atomic
  insert into market.mouvement_stock (id_produit, type, quantite, motif, id_vente)
  select l.id_produit, 'SORTIE', sum(l.quantite), p_motif, p_id_vente
    from market.vente_ligne l where l.id_vente = p_id_vente
   group by l.id_produit order by l.id_produit;
end;
comment on function market._vente_stock_sortir is
  'Sort du stock les produits d''une vente, dans l''ordre de leurs identifiants.';

create function market._vente_regler(
  p_id_vente bigint, p_montant core.montant, p_id_moyen bigint, p_date timestamptz default null,
  p_comptant boolean default true)
returns market.vente_reglement
language plpgsql volatile as $$
declare
  v market.vente;
  v_reglees facturation.sources_reglees;
  v_reglement facturation.reglement;
begin
  select * into strict v from market.vente x where x.id_vente = p_id_vente;
  v_reglees := finances._sources_regler(
    array[row('VENTE', p_id_vente, 'Vente ' || p_id_vente, array(
      select facturation._ligne(p.nom, l.quantite, l.prix_unitaire,
                                finances._taxe_vue('PRODUIT', p.id_produit, p.code_taxe))
        from market.vente_ligne l
        join market.produit p on p.id_produit = l.id_produit
       where l.id_vente = p_id_vente order by l.id_ligne), v.remise, p_montant)::facturation.source_a_regler],
    p_id_activite => market._activite(), p_id_client => v.id_client, p_montant => p_montant, p_id_moyen => p_id_moyen,
    p_date => p_date, p_comptant => p_comptant);
  v_reglement := finances._reglement(v_reglees.factures[1], v_reglees.id_paiement);
  if p_comptant then
    perform facturation._paiement_exact(v_reglement.montant_paye, v_reglement.montant_paye + v_reglement.reste);
  end if;
  return row(market.vente_detail(p_id_vente), finances._solde(v_reglement), v_reglement.numero,
             v_reglement.id_paiement)::market.vente_reglement;
end $$;
comment on function market._vente_regler is
  'Émet la facture d''une vente qui n''en a pas. Au comptant, encaisse exactement ce qui en reste dû, taxe comprise. Refuse PAIEMENT_DIFFERENT_DU_TOTAL.';
-- The settlement compares the payment with the total.
call core.ne_refuse_pas('market._vente_regler', 'SURPAIEMENT');
