-- Staff of the activity, and staff without an activity, see the residence. A user bound to a client uses the portal.

create function residence._activite() returns bigint
language sql stable
return (select a.id_activite from core.activite a where a.code = 'LOCATION_RESIDENTIEL');
comment on function residence._activite is 'Activité de la résidence, LOCATION_RESIDENTIEL.';

create function residence._visible() returns boolean
language sql stable
return core.client() is null and core._activite_visible('LOCATION_RESIDENTIEL');
comment on function residence._visible is
  'Vrai pour qui peut voir la résidence : ni un client, ni quelqu''un d''une autre activité.';
