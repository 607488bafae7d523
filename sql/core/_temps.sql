-- Business dates are dates in the time zone of the organisation.

create function core.parametre(p_cle text) returns text
language sql stable parallel safe
return (select p.valeur from core.parametre p where p.cle = p_cle);
comment on function core.parametre is 'Valeur d''un paramètre, null s''il n''existe pas.';

-- PL/pgSQL caches the plan. An SQL function would be planned again by each statement, at twice the cost.
create function core._fuseau_enregistre() returns text
language plpgsql stable parallel safe as $$
begin
  return coalesce((select p.valeur from core.parametre p where p.cle = 'FUSEAU_HORAIRE'), 'UTC');
end $$;
comment on function core._fuseau_enregistre is 'Fuseau horaire de l''organisation, lu dans ses paramètres.';

-- A request reads the parameter once, in core.contexte. Writing a parameter empties the setting.
create function core.fuseau() returns text
language sql stable parallel safe
return coalesce(nullif(current_setting('comptoir.fuseau', true), ''), core._fuseau_enregistre());
comment on function core.fuseau is 'Fuseau horaire de l''organisation.';

create function core.jour(p_instant timestamptz) returns date
language sql stable parallel safe
return (p_instant at time zone core.fuseau())::date;
comment on function core.jour is 'Date de gestion d''un instant.';

create function core.aujourdhui() returns date
language sql stable parallel safe
return core.jour(coalesce(core.moment(), now()));
comment on function core.aujourdhui is 'Date de gestion du jour ; pour une opération faite sans réseau, celle de l''appareil.';

create function core._annee_du_numero() returns integer
language sql stable parallel safe
return extract(year from core.jour(clock_timestamp()))::integer;
comment on function core._annee_du_numero is 'Année d''un numéro donné maintenant, quel que soit le jour de son document.';

create function core.debut_du_jour(p_jour date) returns timestamptz
language sql stable parallel safe
return p_jour::timestamp at time zone core.fuseau();
comment on function core.debut_du_jour is 'Premier instant d''une date de gestion ; celui du lendemain borne la fin d''une période.';

create function core.premier_jour(p_du date, p_au date) returns date
language sql stable parallel safe
return coalesce(p_du, date_trunc('month', coalesce(p_au, core.aujourdhui())::timestamp)::date);
comment on function core.premier_jour is
  'Premier jour d''une période : celui donné, sinon le premier du mois du dernier jour, qui est aujourd''hui s''il n''est pas donné.';
