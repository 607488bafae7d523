create function abonnement.souscription_payer(
  p_id_souscription bigint, p_montant core.montant_du_reglement, p_id_moyen bigint)
returns abonnement.souscription_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v abonnement.souscription_detail_vue := abonnement._souscription(p_id_souscription);
  v_id_paiement bigint;
begin
  v_id_paiement := finances._facture_payer(v.id_facture, p_montant, p_id_moyen);
  return abonnement._souscription_reglement(p_id_souscription, v_id_paiement);
end $$;
comment on function abonnement.souscription_payer is 'Paie la facture d''un abonnement, en tout ou en partie.';
call core.peut_refuser('abonnement.souscription_payer', 'NOT_FOUND', 'FACTURE_ANNULEE', 'SURPAIEMENT',
  'PERIODE_CAISSE_FERMEE', 'CAISSE_INACTIVE', 'MOYEN_PAIEMENT_INACTIF', 'CREDIT_INSUFFISANT', 'CREDIT_SANS_CLIENT');
-- The payment is dated now and uses the till of the user, which has the activity of the user.
call core.ne_refuse_pas('abonnement.souscription_payer', 'DATE_FUTURE', 'DATE_AVANT_OUVERTURE', 'JOUR_DEJA_COMPTE', 'PERIODE_CLOTUREE',
  'CAISSE_D_UNE_AUTRE_ACTIVITE');
