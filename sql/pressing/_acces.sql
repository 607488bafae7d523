-- The laundry is one activity: a user bound to another one sees nothing of it, and does nothing in it.

create function pressing._visible() returns boolean
language sql stable
return core._activite_visible('PRESSING');
comment on function pressing._visible() is 'Vrai si l''utilisateur n''est pas limité à une autre activité que le pressing.';
