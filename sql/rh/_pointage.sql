-- Attendance: the view, and the times that are refused. The table itself generates the hours and the duration.

create view rh.pointage_vue as
select p.id_pointage, p.id_employe, p.date, p.heure_arrivee, p.heure_depart, p.duree_travaillee, p.statut, p.heures_sup,
       p.note, e.nom as employe_nom, e.prenom as employe_prenom
  from rh.pointage p
  join rh.employe_vue e on e.id_employe = p.id_employe;
comment on view rh.pointage_vue is 'Présences, une ligne par employé et par jour.';
comment on column rh.pointage_vue.heure_arrivee is 'Donnée par la base ; null pour une absence.';
comment on column rh.pointage_vue.heure_depart is 'Null tant que la personne est là, et pour une absence.';
comment on column rh.pointage_vue.duree_travaillee is 'Heures de l''arrivée au départ, calculées par la base.';

call core.verrouillage('rh._pointage_verrouiller', 'rh.pointage', 'id_pointage', 'rh.pointage_detail(p_id_pointage)');
comment on function rh._pointage_verrouiller is 'Verrouille un pointage. Refuse NOT_FOUND.';

-- Staff correct a record afterwards, so every transition is allowed.
call core.transitions('rh.pointage', 'PRESENT: ABSENT RETARD CONGE', 'ABSENT: PRESENT RETARD CONGE',
  'RETARD: PRESENT ABSENT CONGE', 'CONGE: PRESENT ABSENT RETARD');

create function rh._t20_pointage_futur() returns trigger
language plpgsql stable as $$
begin
  if new.date > core.aujourdhui() then
    perform core.refuser(400, 'DATE_FUTURE', 'La date du pointage est dans le futur.');
  elsif new.horloge_depart > now() then
    perform core.refuser(400, 'DEPART_FUTUR', 'L''heure de départ est dans le futur.');
  end if;
  return new;
end $$;
comment on function rh._t20_pointage_futur is 'Refuse un jour et un départ à venir.';
call core.ne_refuse_que('rh._t20_pointage_futur', 'heure_depart', 'DEPART_FUTUR');

create trigger t20_pointage_futur before insert or update of date, horloge_depart on rh.pointage
for each row execute function rh._t20_pointage_futur();

create function rh._presence_exiger(p_statut rh.statut_pointage) returns void
language plpgsql stable as $$
begin
  if p_statut not in ('PRESENT', 'RETARD') then
    perform core.refuser(409, 'ABSENCE_SANS_HEURES', 'Une absence n''a pas d''heure de départ.');
  end if;
end $$;
comment on function rh._presence_exiger is 'Refuse ABSENCE_SANS_HEURES.';
