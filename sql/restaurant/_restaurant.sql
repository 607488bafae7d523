create function restaurant._visible() returns boolean
language sql stable
return core._activite_visible('RESTAURATION');
comment on function restaurant._visible is 'Vrai si l''utilisateur n''est pas limité à une autre activité que le restaurant.';

create function restaurant._activite() returns bigint
language sql stable
return facturation._activite_permise(facturation._activite('RESTAURATION'));
comment on function restaurant._activite is 'L''activité du restaurant. Refuse NOT_FOUND à l''utilisateur d''une autre activité.';
