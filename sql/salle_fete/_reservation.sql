-- Bookings of the hall: the views, the transitions, and the rules that keep the rest unchanged. The invoice holds the
-- money.

call core.transitions('salle_fete.reservation', 'EN_ATTENTE: RESERVEE ANNULEE', 'RESERVEE: CONFIRMEE ANNULEE',
  'CONFIRMEE: REALISEE ANNULEE');

create view salle_fete.reservation_vue as
select r.id_reservation, r.id_client, k.nom || ' ' || k.prenoms as nom_client, r.date_evenement, r.heure_debut, r.duree,
       r.type_manifestation, r.hors_catalogue, r.tarif,
       (case when r.tarif is not null then coalesce(f.montant_paye, 0) end)::core.montant as acompte,
       (case when r.tarif is null then null when r.statut = 'ANNULEE' then 0
             else coalesce(f.reste, r.tarif) end)::core.montant as solde,
       r.statut, r.observations, r.motif_annulation, r.acompte_convenu, f.id_facture, r.origine
  from salle_fete.reservation r
  left join client.client k on k.id_client = r.id_client
  left join facturation.facture f
    on f.source_type = 'RESERVATION_FETE' and f.source_id = r.id_reservation and not f.annulee
 where (select salle_fete._visible());
comment on view salle_fete.reservation_vue is 'Réservations de la salle ; aucune pour qui est limité à une autre activité.';
comment on column salle_fete.reservation_vue.acompte is 'Ce que le client a payé jusqu''ici ; null sans tarif.';
comment on column salle_fete.reservation_vue.solde is 'tarif − acompte ; 0 pour une réservation annulée, null sans tarif.';
comment on column salle_fete.reservation_vue.id_facture is 'Facture de la réservation, null tant que rien n''est payé.';
call core.peut_etre_null('salle_fete.reservation_vue', 'nom_client', 'acompte', 'solde', 'id_facture');

call core.verrouillage('salle_fete._reservation_verrouiller', 'salle_fete.reservation', 'id_reservation',
  'salle_fete._activite()');
comment on function salle_fete._reservation_verrouiller is 'Verrouille une réservation. Refuse NOT_FOUND.';

create function salle_fete._reservation_passer(
  p_id_reservation bigint, p_statut salle_fete.statut_reservation, p_motif core.texte default null) returns void
language plpgsql volatile as $$
declare
  v salle_fete.reservation := salle_fete._reservation_verrouiller(p_id_reservation);
begin
  -- The transition trigger allows an update that keeps the state. The second of two callers must get an error.
  if v.statut = p_statut then
    perform core.refuser(409, 'TRANSITION_INTERDITE',
                         format('Cette réservation est déjà à l''état %s.', core.etat_ecrire(p_statut::text)),
                         jsonb_build_object('de', v.statut, 'vers', p_statut));
  end if;
  update salle_fete.reservation r set statut = p_statut, motif_annulation = p_motif
   where r.id_reservation = p_id_reservation;
end $$;
comment on function salle_fete._reservation_passer is
  'Fait passer une réservation à un état qu''elle n''a pas ; le motif est celui d''une annulation. Refuse NOT_FOUND, TRANSITION_INTERDITE.';

create trigger t10_reservation_auteur before insert on salle_fete.reservation
  for each row execute function core._t10_auteur();

-- Without the lock, two writers of overlapping slots would deadlock on the constraint. The second waits here, before it
-- writes. A booking that changes its state rewrites its slot, so it waits here too.
create function salle_fete._t10_reservation_verrouiller() returns trigger
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(core._verrou('CRENEAU'), 0);
  return new;
end $$;
comment on function salle_fete._t10_reservation_verrouiller is 'Un créneau s''écrit à la fois : le second voit le premier.';

create trigger t10_reservation_verrouiller before insert or update of date_evenement, heure_debut, duree, statut
  on salle_fete.reservation for each row execute function salle_fete._t10_reservation_verrouiller();

create function salle_fete._t20_reservation_close() returns trigger
language plpgsql volatile as $$
begin
  if old.statut in ('REALISEE', 'ANNULEE') then
    perform core.refuser(409, 'RESERVATION_CLOSE',
      format('Cette réservation est à l''état %s : elle ne se modifie plus.', core.etat_ecrire(old.statut::text)));
  end if;
  return new;
end $$;
comment on function salle_fete._t20_reservation_close is 'Une réservation réalisée ou annulée ne se modifie plus.';

create trigger t20_reservation_close
  before update of id_client, date_evenement, heure_debut, duree, type_manifestation, hors_catalogue, tarif,
    acompte_convenu
  on salle_fete.reservation for each row execute function salle_fete._t20_reservation_close();
-- Remarks go with the data of an erased client.
create trigger t20_reservation_close_observations before update of observations on salle_fete.reservation
  for each row when (new.observations is not null) execute function salle_fete._t20_reservation_close();

create trigger t20_reservation_facturee before update of tarif, id_client on salle_fete.reservation
  for each row when ((new.tarif <> old.tarif or new.id_client is distinct from old.id_client)
                     and facturation._source_facturee('RESERVATION_FETE', new.id_reservation))
  execute function core._t20_refuser(
    '409', 'RESERVATION_FACTUREE', 'Cette réservation a sa facture : son tarif et son client ne changent plus.');

call core.figer('RESERVATION_NON_EFFACABLE', 'Une réservation ne s''efface pas : elle s''annule.',
  'before delete or update of id_reservation on salle_fete.reservation');

create function salle_fete._t90_reservation_creee() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    'salle_fete.reservation_creee', 'MEDIUM',
    case new.origine when 'PORTAIL' then 'Demande de réservation de la salle'
                     else 'Nouvelle réservation de la salle' end,
    format('%s, le %s à %s.', new.type_manifestation, to_char(new.date_evenement, 'DD/MM/YYYY'),
           to_char(new.heure_debut, 'HH24:MI')),
    jsonb_build_object('id_reservation', new.id_reservation::text, 'date_evenement', new.date_evenement),
    'SALLE_FETE.VOIR', null, facturation._activite('SALLE_FETE'), null);
  return null;
end $$;
comment on function salle_fete._t90_reservation_creee is 'Une réservation se signale à ceux qui voient la salle de fête.';

create trigger t90_reservation_creee after insert on salle_fete.reservation
  for each row execute function salle_fete._t90_reservation_creee();

create trigger t90_demande_suivie after update of statut on salle_fete.reservation
  for each row when (old.statut::text = 'EN_ATTENTE' and new.statut <> old.statut)
  execute function notification._t90_demande_suivie(
    'salle_fete.reservation.statut', 'Votre demande de réservation de la salle', 'id_reservation');
