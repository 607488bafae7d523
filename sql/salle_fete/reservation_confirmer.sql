create function salle_fete.reservation_confirmer(p_id_reservation bigint, p_paiement salle_fete.paiement_entree)
returns salle_fete.reservation_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_reglement facturation.reglement;
begin
  if p_paiement.montant = 0 then
    perform core.refuser(400, 'MONTANT_STRICTEMENT_POSITIF', 'Le montant doit être plus grand que zéro.');
  end if;
  perform salle_fete._reservation_passer(p_id_reservation, 'CONFIRMEE');
  -- A statement of its own, so that the answer sees the written rows.
  v_reglement := salle_fete._reservation_regler(p_id_reservation, p_paiement.montant, p_paiement.id_moyen);
  return salle_fete._reponse(p_id_reservation, v_reglement);
end $$;
comment on function salle_fete.reservation_confirmer is
  'Confirme une réservation contre un acompte, plus grand que zéro, et émet sa facture : PARTIELLE, ou PAYEE si l''acompte vaut le tarif.';
