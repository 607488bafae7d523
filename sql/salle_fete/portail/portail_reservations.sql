create type salle_fete.portail_reservation as (
  id_reservation bigint, date_evenement date, heure_debut text, duree core.quantite, type_manifestation text,
  statut salle_fete.statut_reservation, observations text, motif_annulation text, tarif core.montant,
  acompte core.montant, solde core.montant, origine core.origine);
comment on type salle_fete.portail_reservation is 'Réservation de la salle par le client connecté, ou sa demande.';
comment on column salle_fete.portail_reservation.heure_debut is 'HH:MM.';
comment on column salle_fete.portail_reservation.duree is 'Heures.';
comment on column salle_fete.portail_reservation.statut is 'EN_ATTENTE d''une demande sans réponse, qui ne tient aucun créneau.';
comment on column salle_fete.portail_reservation.tarif is 'Null tant que la demande n''est pas acceptée.';
comment on column salle_fete.portail_reservation.acompte is 'Acompte convenu.';
comment on column salle_fete.portail_reservation.solde is 'Ce qui reste à payer.';
comment on column salle_fete.portail_reservation.motif_annulation is 'Pourquoi elle est annulée ou refusée.';
call core.peut_etre_null('salle_fete.portail_reservation', 'observations', 'motif_annulation', 'tarif', 'acompte',
  'solde');

create function salle_fete._portail_reservations(p_id_client bigint) returns setof salle_fete.portail_reservation
language sql stable
begin atomic
  select r.id_reservation, r.date_evenement, to_char(r.heure_debut, 'HH24:MI'), r.duree, r.type_manifestation, r.statut,
         r.observations, r.motif_annulation, r.tarif, r.acompte_convenu,
         case when r.tarif is null then null when r.statut = 'ANNULEE' then 0 else coalesce(f.reste, r.tarif) end,
         r.origine
    from salle_fete.reservation r
    left join facturation.facture f
      on f.source_type = 'RESERVATION_FETE' and f.source_id = r.id_reservation and not f.annulee
   where r.id_client = p_id_client;
end;
comment on function salle_fete._portail_reservations is 'Réservations d''un client, demandées ou saisies par le personnel.';

call client.liste_du_portail('salle_fete.portail_reservations', 'salle_fete.portail_reservation',
  'v.date_evenement desc, v.heure_debut desc, v.id_reservation desc');
comment on function salle_fete.portail_reservations is
  'Réservations de la salle du client connecté et ses demandes, la plus lointaine d''abord.';

call client.detail_du_portail(
  'salle_fete.portail_reservation_detail', 'salle_fete._portail_reservations', 'id_reservation');
comment on function salle_fete.portail_reservation_detail is
  'Une réservation de la salle du client connecté, ou sa demande.';
