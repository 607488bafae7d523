create function salle_fete.reservation_detail(p_id_reservation bigint) returns salle_fete.reservation_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select r from salle_fete.reservation_vue r where r.id_reservation = p_id_reservation));
end $$;
comment on function salle_fete.reservation_detail is 'Une réservation de la salle.';
