create function client.mes_donnees() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return client._donnees(client._portail_client());
comment on function client.mes_donnees is 'Tout ce qui est gardé du client connecté, en un fichier JSON.';
