create function salle_fete.reservation_demander(
  p_date_evenement date, p_heure_debut time, p_duree core.nombre, p_type_manifestation core.libelle,
  p_observations core.texte default null, p_hors_catalogue boolean default true)
returns salle_fete.portail_reservation
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v salle_fete.reservation;
begin
  perform core._demande_a_venir((p_date_evenement + p_heure_debut) at time zone core.fuseau());
  insert into salle_fete.reservation (
    id_client, date_evenement, heure_debut, duree, type_manifestation, hors_catalogue, observations, statut, origine)
  values (v_id_client, p_date_evenement, p_heure_debut, p_duree, p_type_manifestation, p_hors_catalogue, p_observations,
          'EN_ATTENTE', 'PORTAIL')
  returning * into v;
  if exists (select from salle_fete.reservation r
              where r.statut in ('RESERVEE', 'CONFIRMEE', 'REALISEE') and r.creneau && v.creneau) then
    perform core.refuser(409, 'CRENEAU_DEJA_RESERVE',
      'La salle est déjà prise à cette heure : choisissez un autre créneau.');
  end if;
  return salle_fete.portail_reservation_detail(v.id_reservation);
end $$;
comment on function salle_fete.reservation_demander is
  'Demande la salle au nom du client connecté. La demande ne tient pas le créneau : le premier accepté l''a.';
-- The row exists when its detail is read.
call core.ne_refuse_pas('salle_fete.reservation_demander', 'NOT_FOUND');
