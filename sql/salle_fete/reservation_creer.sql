create function salle_fete.reservation_creer(
  p_date_evenement date, p_heure_debut time, p_duree core.nombre, p_type_manifestation core.libelle,
  p_tarif core.montant, p_id_client bigint default null, p_client client.client_nouveau default null,
  p_observations core.texte default null, p_hors_catalogue boolean default true)
returns salle_fete.reservation_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_reservation bigint;
begin
  perform salle_fete._activite();
  insert into salle_fete.reservation as r (id_client, date_evenement, heure_debut, duree, type_manifestation,
                                           hors_catalogue, tarif, observations)
  values (client._client_resoudre(p_id_client, p_client), p_date_evenement, p_heure_debut, p_duree,
          p_type_manifestation, p_hors_catalogue, p_tarif, p_observations)
  returning r.id_reservation into v_id_reservation;
  return salle_fete.reservation_detail(v_id_reservation);
end $$;
comment on function salle_fete.reservation_creer is
  'Réserve la salle, pour un client connu, un nouveau, ou personne encore. Un créneau est pris par la première réservation qui n''est pas annulée. « hors_catalogue » faux demande un type de manifestation du catalogue.';
