create function abonnement.souscription_payer(
  p_id_souscription bigint, p_montant core.montant_du_reglement, p_id_moyen bigint)
returns abonnement.souscription_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_paiement bigint := finances._facture_payer(
    (abonnement.souscription_detail(p_id_souscription)).id_facture, p_montant, p_id_moyen);
begin
  return abonnement._souscription_reglement(p_id_souscription, v_id_paiement);
end $$;
comment on function abonnement.souscription_payer is 'Paie la facture d''un abonnement, en tout ou en partie.';
