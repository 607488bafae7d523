-- Categories of subscriptions belong to the activity of the residence. Staff of this activity, and staff without an
-- activity, see them. A user who is bound to a client uses the portal and sees none of these rows.

create function abonnement._visible() returns boolean
language sql stable
return core.client() is null and core._activite_visible('LOCATION_RESIDENTIEL');
comment on function abonnement._visible() is
  'Vrai pour qui peut voir la résidence : ni un client, ni quelqu''un d''une autre activité.';
