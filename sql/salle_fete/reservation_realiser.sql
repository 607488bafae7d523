create function salle_fete.reservation_realiser(p_id_reservation bigint, p_paiement salle_fete.paiement_entree)
returns salle_fete.reservation_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_reglement facturation.reglement;
begin
  perform salle_fete._reservation_passer(p_id_reservation, 'REALISEE');
  v_reglement := salle_fete._reservation_regler(p_id_reservation, p_paiement.montant, p_paiement.id_moyen);
  -- The database computed the rest after the payment, in the same transaction: no other payment can come in between.
  if v_reglement.reste > 0 then
    perform core.refuser(409, 'SOLDE_INCOMPLET',
      format('Il faut encaisser tout ce qui reste à payer : %s.',
             core.montant_ecrire(v_reglement.reste + p_paiement.montant)),
      jsonb_build_object('reste', (v_reglement.reste + p_paiement.montant)::text));
  end if;
  return salle_fete._reponse(p_id_reservation, v_reglement);
end $$;
comment on function salle_fete.reservation_realiser is
  'Marque une réservation réalisée contre le solde exact, encaissé sur la même facture ; 0 si tout est payé.';
