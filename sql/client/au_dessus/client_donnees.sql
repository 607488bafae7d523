create function client.client_donnees(p_id_client bigint) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return client._donnees((client._client(p_id_client)).id_client);
comment on function client.client_donnees is
  'Tout ce qui est gardé d''un client, à lui remettre : un fichier JSON, ses lignes par table, le journal à son sujet, ses connexions, les clés de ses fichiers.';
