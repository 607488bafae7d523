-- The module that a client names in a report from the portal. It stands for an activity.

create type signalement.module_cible as enum ('RESIDENCE', 'MARCHANDISE', 'PRESSING', 'RESTAURANT', 'SALLE_FETE');
comment on type signalement.module_cible is 'Domaine qu''un signalement peut nommer.';
create type signalement.cible_type as enum ('GENERAL', 'MODULE', 'ACTIVITE');
comment on type signalement.cible_type is 'Ce que nomme un signalement : un domaine, une activité, ou rien.';

create function signalement._activite(p_module signalement.module_cible) returns bigint
language sql stable
return (select a.id_activite from core.activite a where a.code = case p_module
          when 'RESIDENCE' then 'LOCATION_RESIDENTIEL' when 'MARCHANDISE' then 'VENTE_MARCHANDISES'
          when 'RESTAURANT' then 'RESTAURATION' else p_module::text end);
comment on function signalement._activite is 'Activité d''un domaine, null sans domaine.';

create function signalement._cible(p_par_module boolean, p_id_client bigint, p_id_activite bigint)
returns signalement.cible_type
language sql immutable parallel safe
return case when p_par_module or num_nonnulls(p_id_client, p_id_activite) = 2 then 'MODULE'::signalement.cible_type
            when p_id_activite is not null then 'ACTIVITE'::signalement.cible_type
            else 'GENERAL'::signalement.cible_type end;
comment on function signalement._cible is 'Ce que nomme un signalement ; un client ne nomme qu''un domaine.';
