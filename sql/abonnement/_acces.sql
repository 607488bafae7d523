-- Categories of subscriptions are the residence's: staff of its activity sees them, or of none in particular. A user who is
-- bound to a client has the portal, and nothing of what is here.

create function abonnement._visible() returns boolean
language sql stable
return core.client() is null and core._activite_visible('LOCATION_RESIDENTIEL');
comment on function abonnement._visible() is
  'Vrai pour qui peut voir la résidence : ni un client, ni quelqu''un d''une autre activité.';
