create function salle_fete.reservation_valider(
  p_id_reservation bigint, p_tarif core.montant, p_acompte core.montant default null)
returns salle_fete.reservation_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v salle_fete.reservation := salle_fete._reservation_verrouiller(p_id_reservation);
begin
  perform core._demande_en_attente(v.statut::text);
  perform core._demande_encore_utile(upper(v.creneau) at time zone core.fuseau());
  update salle_fete.reservation r set (tarif, acompte_convenu, statut) = row(p_tarif, p_acompte, 'RESERVEE')
   where r.id_reservation = p_id_reservation;
  return salle_fete.reservation_detail(p_id_reservation);
end $$;
comment on function salle_fete.reservation_valider is
  'Accepte une demande de la salle : lui donne un prix et son créneau, s''il est encore libre. « acompte » est convenu ; la confirmation l''encaisse.';
-- Only an accepted reservation takes its slot.
call core.peut_refuser('salle_fete.reservation_valider', 'CRENEAU_DEJA_RESERVE');
-- The row is a request, which is open and has no invoice.
call core.ne_refuse_pas('salle_fete.reservation_valider', 'TRANSITION_INTERDITE', 'RESERVATION_CLOSE',
  'RESERVATION_FACTUREE');
