create view salle_fete.creneau_vue as
select r.id_reservation, r.date_evenement, r.heure_debut, r.duree, r.type_manifestation, r.statut,
       lower(r.creneau) as debut, upper(r.creneau) as fin
  from salle_fete.reservation r
 where r.statut in ('RESERVEE', 'CONFIRMEE', 'REALISEE')
   and (select salle_fete._visible());
comment on view salle_fete.creneau_vue is 'Créneaux occupés de la salle.';
comment on column salle_fete.creneau_vue.debut is 'Début, heure locale.';
comment on column salle_fete.creneau_vue.fin is 'Fin, heure locale, peut-être le lendemain.';
call core.jamais_null('salle_fete.creneau_vue', 'debut', 'fin');

create function salle_fete.creneau_lister(p_date date) returns setof salle_fete.creneau_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
  select c.* from salle_fete.creneau_vue c
    join salle_fete.reservation r on r.id_reservation = c.id_reservation
   where r.creneau && tsrange(p_date, p_date + 1)
   order by c.debut;
end $$;
comment on function salle_fete.creneau_lister is
  'Créneaux occupés d''un jour, dans l''ordre ; un événement commencé la veille et fini ce jour-là en est.';
