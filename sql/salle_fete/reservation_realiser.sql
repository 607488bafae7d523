create function salle_fete.reservation_realiser(p_id_reservation bigint, p_paiement salle_fete.paiement_entree)
returns salle_fete.reservation_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_reglement facturation.reglement;
begin
  perform salle_fete._reservation_passer(p_id_reservation, 'REALISEE');
  v_reglement := salle_fete._reservation_regler(p_id_reservation, p_paiement.montant, p_paiement.id_moyen);
  perform finances._solde_exiger(v_reglement, p_paiement.montant);
  return salle_fete._reponse(p_id_reservation, v_reglement);
end $$;
comment on function salle_fete.reservation_realiser is
  'Marque une réservation réalisée contre le solde exact, encaissé sur la même facture ; 0 si tout est payé.';
