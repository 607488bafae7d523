-- Locks, in this order: the sale, its products by id, the counter of invoice numbers.

create function market.vente_valider(p_id_vente bigint) returns market.vente_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform core._demande_en_attente((market._vente_verrouiller(p_id_vente)).statut::text);
  perform market._panier_verrouiller(array(
    select row(l.id_produit, l.quantite)::market.ligne_vente from market.vente_ligne l where l.id_vente = p_id_vente));
  update market.vente x set statut = 'EN_COURS' where x.id_vente = p_id_vente;
  perform market._vente_stock_sortir(p_id_vente, 'Vente ' || p_id_vente);
  perform market._vente_regler(p_id_vente, 0, null, p_comptant => false);
  return market.vente_detail(p_id_vente);
end $$;
comment on function market.vente_valider is
  'Accepte une demande à la boutique : ses produits sortent du stock, s''il en reste assez, et sa facture est émise, impayée ; elle s''encaisse ensuite.';
-- The row is a request, which has lines of known products. Nothing is paid.
call core.ne_refuse_pas('market.vente_valider', 'TRANSITION_INTERDITE', 'ANNULATION_SANS_REMBOURSEMENT',
  'VENTE_SANS_LIGNE', 'PRODUIT_INCONNU', 'PAIEMENT_DIFFERENT_DU_TOTAL', 'PERIODE_CAISSE_FERMEE', 'CAISSE_INACTIVE',
  'MOYEN_PAIEMENT_INACTIF', 'CREDIT_INSUFFISANT', 'CREDIT_SANS_CLIENT');
