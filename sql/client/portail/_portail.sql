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

-- A list of the portal and its detail read the rows of one function, « _portail_x(id_client) », of the client of the
-- request. Both functions are written from their declarations while the code is loaded, as other lists are
-- (docs/decisions/0087-listes-declarees.md).
create procedure client.liste_du_portail(
  p_fonction text, p_type regclass, p_tri text, p_limite integer default 1000)
language plpgsql as $$
begin
  call core._operation(
    format('%s(p_limit core.limite default %s, p_offset core.decalage default 0)', p_fonction, p_limite),
    'setof ' || p_type, 'stable', format('
declare
  v_id_client bigint := client._portail_liste();
begin
  return query execute core._liste(%L, ''true'', %L, null, null, p_limit, p_offset, p_source => %L)
  using v_id_client;
end ', p_type, p_tri, replace(p_fonction, '.', '._') || '($1)'));
end $$;
comment on procedure client.liste_du_portail is
  'Écrit la fonction qui rend au client connecté, par pages et dans cet ordre, les lignes de « _portail_x ».';

create procedure client.detail_du_portail(p_fonction text, p_lignes regproc, p_cle name)
language plpgsql as $$
declare
  v_type text := (select p.prorettype::regtype from pg_proc p where p.oid = p_lignes);
begin
  call core._operation(format('%s(p_%s bigint)', p_fonction, p_cle), v_type, 'stable', format('
declare
  v_id_client bigint := client._portail_client();
begin
  return core._trouve((select x from %1$s(v_id_client) x where x.%2$s = p_%2$s));
end ', p_lignes, p_cle));
end $$;
comment on procedure client.detail_du_portail is
  'Écrit la fonction qui rend au client connecté une des lignes de « _portail_x ». Refuse NOT_FOUND.';
