create function pressing._visible() returns boolean
language sql stable
return core._activite_visible('PRESSING');
comment on function pressing._visible is 'Vrai si l''utilisateur n''est pas limité à une autre activité que le pressing.';

create function pressing._activite() returns bigint
language sql stable
return facturation._activite_permise(facturation._activite('PRESSING'));
comment on function pressing._activite is 'L''activité du pressing. Refuse NOT_FOUND à l''utilisateur d''une autre activité.';
