-- Categories of subscriptions belong to the activity of the residence.
create function abonnement._visible() returns boolean
language sql stable
return core.client() is null and core._activite_visible('LOCATION_RESIDENTIEL');
comment on function abonnement._visible is
  'Vrai pour qui peut voir la résidence : ni un client, ni quelqu''un d''une autre activité.';

create function abonnement._acces_exiger() returns void
language plpgsql stable as $$
begin
  if not abonnement._visible() then
    raise no_data_found;
  end if;
end $$;
comment on function abonnement._acces_exiger is 'Pour qui ne peut voir la résidence, ce qui s''y fait n''existe pas. Refuse NOT_FOUND.';

create function abonnement._activite_permise(p_activite abonnement.activite_offre) returns bigint
language plpgsql stable as $$
begin
  if core.client() is not null then
    raise no_data_found;
  end if;
  return facturation._activite_permise(facturation._activite(p_activite::text));
end $$;
comment on function abonnement._activite_permise is
  'L''activité d''une offre. Refuse NOT_FOUND à un client et à l''utilisateur d''une autre activité.';
