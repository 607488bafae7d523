-- May the caller see this row? A caller may be limited to an activity, to a till, or to neither; a row may belong to one.
-- Every view and every function of the slices asks here. A row that belongs to nobody is for callers without a limit; where
-- it is for everybody, the condition says so: « x.id_activite is null or core._visible(…) ».
--
-- A view writes the limit as « (select core.activite()) », which PostgreSQL reads once a statement. Each argument stands
-- once in the body: only then is a call with a subquery inlined. The planner takes « case » for half of the rows, and
-- « x is null or … » for so few that it would sort the whole table.

create function core._visible(p_id bigint, p_limite bigint) returns boolean
language sql immutable parallel safe
return case coalesce(p_id, 0) = p_limite when false then false else true end;
comment on function core._visible(bigint, bigint) is
  'Vrai si l''utilisateur n''a pas de limite (activité ou caisse), ou si la ligne est de celle-là.';
