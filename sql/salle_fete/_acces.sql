create function salle_fete._visible() returns boolean
language sql stable
return core._activite_visible('SALLE_FETE');
comment on function salle_fete._visible is 'Vrai si l''utilisateur n''est pas limité à une autre activité que la salle.';
