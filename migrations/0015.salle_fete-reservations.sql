-- Bookings of the hall. There is one hall: two live bookings never share an hour.
-- depends: 0008.jobs-file

create schema salle_fete;
comment on schema salle_fete is 'Salle de fête : réservations et créneaux.';

create type salle_fete.statut_reservation as enum ('DISPONIBLE', 'RESERVEE', 'CONFIRMEE', 'REALISEE', 'ANNULEE');
comment on type salle_fete.statut_reservation is 'État d''une réservation ; DISPONIBLE n''est celui d''aucune, les filtres l''acceptent.';

create table salle_fete.reservation (
  id_reservation bigint generated always as identity constraint reservation_pkey primary key,
  id_client bigint constraint reservation_client_inconnu references client.client,
  date_evenement date not null,
  heure_debut time not null,
  duree core.nombre not null constraint reservation_trop_longue check (duree <= 168),
  type_manifestation core.libelle not null,
  tarif core.montant not null constraint reservation_sans_tarif check (tarif > 0),
  acompte_convenu core.montant,
  observations core.texte,
  statut salle_fete.statut_reservation not null default 'RESERVEE'
    constraint reservation_jamais_disponible check (statut <> 'DISPONIBLE'),
  motif_annulation core.texte,
  date_creation timestamptz not null default now(),
  id_utilisateur bigint constraint reservation_utilisateur_inconnu references auth.utilisateur,
  creneau tsrange not null generated always as (
    tsrange(date_evenement + heure_debut,
            date_evenement + heure_debut + (duree * 3600)::integer * interval '1 second')) stored,
  constraint acompte_superieur_au_tarif check (acompte_convenu <= tarif),
  constraint creneau_deja_reserve exclude using gist (creneau with &&)
    where (statut in ('RESERVEE', 'CONFIRMEE', 'REALISEE'))
);
create index reservation_date_evenement on salle_fete.reservation (date_evenement desc, heure_debut desc, id_reservation desc);
create index reservation_id_client on salle_fete.reservation (id_client);
create index reservation_id_utilisateur on salle_fete.reservation (id_utilisateur);
comment on table salle_fete.reservation is 'Réservation de la salle ; ce qui en est payé est sur sa facture.';
comment on column salle_fete.reservation.duree is 'Heures, à partir de heure_debut ; la fin peut tomber le lendemain.';
comment on column salle_fete.reservation.acompte_convenu is 'Acompte sur lequel on s''est entendu ; la confirmation seule encaisse.';
comment on column salle_fete.reservation.creneau is 'Temps occupé, heure locale, sans l''instant de fin.';
comment on constraint reservation_client_inconnu on salle_fete.reservation is 'Ce client n''existe pas.';
comment on constraint reservation_trop_longue on salle_fete.reservation is 'Une réservation dure 168 heures au plus, soit une semaine.';
comment on constraint reservation_sans_tarif on salle_fete.reservation is 'Le tarif doit être plus grand que zéro.';
comment on constraint reservation_jamais_disponible on salle_fete.reservation is 'Une réservation n''est jamais DISPONIBLE.';
comment on constraint acompte_superieur_au_tarif on salle_fete.reservation is 'L''acompte convenu dépasse le tarif.';
comment on constraint creneau_deja_reserve on salle_fete.reservation is 'La salle est déjà réservée à ce moment.';
