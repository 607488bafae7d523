call core.detail('salle_fete.reservation_detail', 'salle_fete.reservation_vue', 'id_reservation');
comment on function salle_fete.reservation_detail is 'Une réservation de la salle.';
