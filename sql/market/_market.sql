create function market._visible() returns boolean
language sql stable
return core._activite_visible('VENTE_MARCHANDISES');
comment on function market._visible is 'Vrai si l''utilisateur n''est pas limité à une autre activité que la boutique.';

create function market._activite() returns bigint
language sql stable
return facturation._activite_permise(facturation._activite('VENTE_MARCHANDISES'));
comment on function market._activite is 'L''activité de la boutique. Refuse NOT_FOUND à l''utilisateur d''une autre activité.';
