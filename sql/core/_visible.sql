-- May the caller see this row? A caller may be limited to an activity and to a till; a row may belong to one of each. Views
-- and functions ask core._visible, and a trade that is one activity asks its own _visible() once a statement. A row without an
-- activity is for callers without a limit; where it is for everybody, the condition says « x.id_activite is null or … ».
--
-- A view writes the limit as « (select core.activite()) », which PostgreSQL reads once a statement. A call whose argument is
-- a subquery is inlined only if the argument stands once in the body. The planner takes « case » for half of the rows; it takes
-- « p_limite is null or … » for so few that it would sort the whole table.

create function core._visible(p_id bigint, p_limite bigint) returns boolean
language sql immutable parallel safe
return case coalesce(p_id, 0) = p_limite when false then false else true end;
comment on function core._visible(bigint, bigint) is
  'Vrai si l''utilisateur n''a pas cette limite (activité ou caisse), ou si la ligne est dans sa limite.';

create function core._activite_visible(p_code text) returns boolean
language sql stable
return core._visible((select a.id_activite from core.activite a where a.code = p_code), core.activite());
comment on function core._activite_visible(text) is 'Vrai si l''utilisateur n''est pas limité à une autre activité que celle de ce code.';

-- A cashier sees the rows of the till, whatever activity they are of.
create function core._activite_sans_caisse() returns bigint
language sql stable parallel safe
return case when core.caisse() is null then core.activite() end;
comment on function core._activite_sans_caisse() is
  'Activité qui limite l''utilisateur là où sa caisse, s''il en a une, le limite déjà : null pour qui a une caisse.';
