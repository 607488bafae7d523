create function salle_fete.reservation_annuler(
  p_id_reservation bigint, p_motif core.texte default null, p_id_caisse bigint default null)
returns salle_fete.reservation_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform salle_fete._reservation_passer(p_id_reservation, 'ANNULEE', p_motif);
  perform finances._facture_annuler(f.id_facture, coalesce(p_motif, 'Annulation de la réservation'), p_id_caisse)
     from facturation.facture f
    where f.source_type = 'RESERVATION_FETE' and f.source_id = p_id_reservation and not f.annulee;
  return salle_fete.reservation_detail(p_id_reservation);
end $$;
comment on function salle_fete.reservation_annuler is
  'Annule une réservation et libère son créneau, ou refuse une demande ; le client voit le motif ; ce qui a été payé est rendu par un paiement contraire, de la caisse donnée si l''utilisateur n''en a pas, et la facture annulée.';
-- The cancelled invoice is live.
call core.ne_refuse_pas('salle_fete.reservation_annuler', 'FACTURE_ANNULEE');
