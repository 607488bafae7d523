-- The module that a client names in a report from the portal. It stands for an activity.

create type signalement.module_cible as enum ('RESIDENCE', 'MARCHANDISE', 'PRESSING', 'RESTAURANT', 'SALLE_FETE');
comment on type signalement.module_cible is 'Domaine qu''un client peut nommer dans son signalement.';
create type signalement.cible_type as enum ('GENERAL', 'MODULE');
comment on type signalement.cible_type is 'MODULE : le signalement nomme un domaine.';

create function signalement._activite(p_module signalement.module_cible) returns bigint
language sql stable
return (select a.id_activite from core.activite a where a.code = case p_module
          when 'RESIDENCE' then 'LOCATION_RESIDENTIEL' when 'MARCHANDISE' then 'VENTE_MARCHANDISES'
          when 'RESTAURANT' then 'RESTAURATION' else p_module::text end);
comment on function signalement._activite(signalement.module_cible) is 'Activité d''un domaine, null sans domaine.';
