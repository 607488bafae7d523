create function pressing._visible() returns boolean
language sql stable
return core._activite_visible('PRESSING');
comment on function pressing._visible is 'Vrai si l''utilisateur n''est pas limité à une autre activité que le pressing.';
