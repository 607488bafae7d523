-- The space of a client: of a customer who signed up, and of a resident. The files of the folders `portail` are loaded as
-- comptoir_portail: whatever they select, row-level security leaves only the rows of the client of the request
-- (sql/politiques.sql). No function takes a client.

create function client._portail_lie() returns bigint
language plpgsql stable as $$
begin
  if core.client() is null then
    perform core.refuser(403, 'SANS_CLIENT', 'Votre compte n''est lié à aucun client : votre espace n''a rien à montrer.');
  end if;
  return core.client();
end $$;
comment on function client._portail_lie() is 'Client de l''utilisateur connecté. Refuse SANS_CLIENT.';

create function client._portail_client() returns bigint
language plpgsql stable as $$
begin
  -- Anybody may have signed up under this name: what others have recorded since is shown to the owner of the address.
  if core.a_confirmer() then
    perform core.refuser(403, 'ADRESSE_A_CONFIRMER',
      'Confirmez d''abord votre adresse par le lien qui y a été envoyé ; « Mot de passe oublié » en envoie un autre. Sans adresse, donnez-en une à l''accueil.');
  end if;
  return client._portail_lie();
end $$;
comment on function client._portail_client() is
  'Client de l''utilisateur connecté, dont l''adresse est confirmée. Refuse SANS_CLIENT, ADRESSE_A_CONFIRMER.';
