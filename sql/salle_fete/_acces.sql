create function salle_fete._visible() returns boolean
language sql stable
return core._activite_visible('SALLE_FETE');
comment on function salle_fete._visible is 'Vrai si l''utilisateur n''est pas limité à une autre activité que la salle.';

create function salle_fete._activite() returns bigint
language sql stable
return facturation._activite_permise(facturation._activite('SALLE_FETE'));
comment on function salle_fete._activite is 'L''activité de la salle. Refuse NOT_FOUND à l''utilisateur d''une autre activité.';
