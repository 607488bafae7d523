-- The catalogue of event types. A booking copies the label, so a changed label changes no booking. It keeps the type that
-- the label named, whose tax its invoice has.

create view salle_fete.type_manifestation_vue as
select t.id_type_manifestation, t.libelle, t.actif, t.code_taxe::core.code
  from salle_fete.type_manifestation t
 where (select salle_fete._visible());
comment on view salle_fete.type_manifestation_vue is 'Types de manifestation du catalogue.';

create function salle_fete._t20_reservation_catalogue() returns trigger
language plpgsql volatile as $$
begin
  perform core._catalogue_exiger(new.type_manifestation, exists (
    select from salle_fete.type_manifestation t where t.libelle = new.type_manifestation and t.actif));
  return new;
end $$;
comment on function salle_fete._t20_reservation_catalogue is
  'Le type de manifestation d''une réservation du catalogue y est, actif. Refuse LIBELLE_HORS_CATALOGUE.';

create trigger t20_reservation_catalogue before insert on salle_fete.reservation
  for each row when (not new.hors_catalogue) execute function salle_fete._t20_reservation_catalogue();

-- A booking keeps a label that has left the catalogue since.
create trigger t20_reservation_catalogue_modifiee before update of type_manifestation, hors_catalogue
  on salle_fete.reservation for each row
  when (not new.hors_catalogue and (old.hors_catalogue or new.type_manifestation <> old.type_manifestation))
  execute function salle_fete._t20_reservation_catalogue();

create function salle_fete._t10_reservation_type() returns trigger
language plpgsql volatile as $$
begin
  if tg_op = 'INSERT' or new.type_manifestation <> old.type_manifestation then
    new.id_type_manifestation := (
      select t.id_type_manifestation from salle_fete.type_manifestation t where t.libelle = new.type_manifestation);
  end if;
  return new;
end $$;
comment on function salle_fete._t10_reservation_type is 'Type du catalogue que nomme le libellé d''une réservation.';

create trigger t10_reservation_type before insert or update of type_manifestation on salle_fete.reservation
  for each row execute function salle_fete._t10_reservation_type();
