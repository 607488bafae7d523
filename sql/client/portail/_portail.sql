-- The portal of clients who signed up and of residents. comptoir_portail owns the functions in the folders `portail`:
-- row-level security lets their queries see only the rows of the client of the request (sql/politiques.sql). No
-- function has a parameter for the client.

create function client._portail_lie() returns bigint
language plpgsql stable as $$
begin
  if core.client() is null then
    perform core.refuser(403, 'SANS_CLIENT',
      'Votre compte n''est lié à aucun client : votre espace n''a rien à montrer.');
  end if;
  return core.client();
end $$;
comment on function client._portail_lie is 'Client de l''utilisateur connecté. Refuse SANS_CLIENT.';

create function client._portail_client() returns bigint
language plpgsql stable as $$
begin
  -- Any visitor may have signed up with this name: only the owner of the address sees what staff recorded since.
  if core.a_confirmer() then
    perform core.refuser(403, 'ADRESSE_A_CONFIRMER',
      'Confirmez d''abord votre adresse par le lien qui y a été envoyé ; « Mot de passe oublié » en envoie un autre. Sans adresse, donnez-en une à l''accueil.');
  end if;
  return client._portail_lie();
end $$;
comment on function client._portail_client is
  'Client de l''utilisateur connecté, dont l''adresse est confirmée. Refuse SANS_CLIENT, ADRESSE_A_CONFIRMER.';

-- Before that, the lists of the portal are empty: the pages of the client open all of them after a sign-up.
create function client._portail_liste() returns bigint
language sql stable
return case when client._portail_lie() is not null and not core.a_confirmer() then core.client() end;
comment on function client._portail_liste is
  'Client dont l''espace montre les listes, null tant que l''adresse n''est pas confirmée. Refuse SANS_CLIENT.';
