create function salle_fete.reservation_detail(p_id_reservation bigint) returns salle_fete.reservation_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return salle_fete._reservation(p_id_reservation);
comment on function salle_fete.reservation_detail is 'Une réservation de la salle.';
