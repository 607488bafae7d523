create function salle_fete.reservation_renoncer(p_id_reservation bigint, p_motif core.texte default null)
returns salle_fete.portail_reservation
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform salle_fete.portail_reservation_detail(p_id_reservation);
  perform core._demande_en_attente(r.statut::text)
     from (select r.statut from salle_fete.reservation r where r.id_reservation = p_id_reservation for no key update) r;
  update salle_fete.reservation r set statut = 'ANNULEE', motif_annulation = p_motif
   where r.id_reservation = p_id_reservation;
  return salle_fete.portail_reservation_detail(p_id_reservation);
end $$;
comment on function salle_fete.reservation_renoncer is
  'Le client connecté annule sa demande de la salle, tant qu''elle attend sa réponse.';
-- The row is a request.
call core.ne_refuse_pas('salle_fete.reservation_renoncer', 'TRANSITION_INTERDITE');
