-- Dates of leases and deposits that make no sense are refused. Not valid: what was written before stays as it is.
-- depends: 0027.finances-resume-utilisateur

alter table residence.caution
  drop constraint caution_restituee_apres_versement,
  add constraint caution_restituee_apres_versement check (
    date_restitution is null or coalesce(date_restitution >= date_versement, false)) not valid;
comment on constraint caution_restituee_apres_versement on residence.caution is
  'Une caution ne se restitue pas avant le jour où elle a été versée.';

-- Rent is asked for until the termination: a far century would be instalments without number.
alter table residence.contrat_location
  add constraint resiliation_plausible check (date_resiliation - date_debut <= 36600) not valid;
comment on constraint resiliation_plausible on residence.contrat_location is
  'Un contrat se résilie au plus tard cent ans après son début.';
