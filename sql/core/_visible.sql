-- May the caller, who may be limited to an activity and to a till, see this row? Only callers without a limit see a row
-- without an activity. Where every caller may see it, the condition says « x.id_activite is null or … ». The view of a
-- trade, which is one activity, calls the _visible() of the trade once a statement.
-- A view passes the limit as « (select core.activite()) », which PostgreSQL evaluates once a statement. PostgreSQL
-- inlines a call with a subquery as argument only if the body uses the parameter once. The planner estimates that «
-- case » keeps half of the rows. It estimates so few for « p_limite is null or … » that it would sort the whole table.

create function core._visible(p_id bigint, p_limite bigint) returns boolean
language sql immutable parallel safe
return case coalesce(p_id, 0) = p_limite when false then false else true end;
comment on function core._visible is
  'Vrai si l''utilisateur n''a pas cette limite (activité ou caisse), ou si la ligne est dans sa limite.';

create function core._activite_visible(p_code text) returns boolean
language sql stable
return core._visible((select a.id_activite from core.activite a where a.code = p_code), core.activite());
comment on function core._activite_visible is 'Vrai si l''utilisateur n''est pas limité à une autre activité que celle de ce code.';

-- A cashier sees the rows of the till, of every activity.
create function core._activite_sans_caisse() returns bigint
language sql stable parallel safe
return case when core.caisse() is null then core.activite() end;
comment on function core._activite_sans_caisse is
  'Activité qui limite l''utilisateur là où sa caisse, s''il en a une, le limite déjà : null pour qui a une caisse.';
