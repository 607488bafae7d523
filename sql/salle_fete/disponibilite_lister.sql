-- The slots that other clients booked. Row-level security would hide them from the role of the portal, so this function
-- belongs to the role of the code, and it returns nothing that names a client.

create type salle_fete.disponibilite as (
  date_evenement date, heure_debut text, duree core.quantite, statut salle_fete.statut_reservation);
comment on type salle_fete.disponibilite is 'Créneau pris de la salle.';
comment on column salle_fete.disponibilite.heure_debut is 'HH:MM.';
comment on column salle_fete.disponibilite.duree is 'Heures.';

create function salle_fete.disponibilite_lister(p_date date) returns setof salle_fete.disponibilite
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform client._portail_liste();
  return query
  select r.date_evenement, to_char(r.heure_debut, 'HH24:MI'), r.duree::core.quantite, r.statut
    from salle_fete.reservation r
   where r.statut in ('RESERVEE', 'CONFIRMEE', 'REALISEE') and r.creneau && tsrange(p_date, p_date + 1)
   order by lower(r.creneau);
end $$;
comment on function salle_fete.disponibilite_lister is
  'Créneaux pris de la salle un jour, pour qui veut la demander ; une demande n''en prend pas.';
