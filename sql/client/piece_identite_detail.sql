create function client.piece_identite_detail(p_id_client bigint, p_id_piece bigint) returns client.piece_identite_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return client._piece_identite(p_id_client, p_id_piece);
comment on function client.piece_identite_detail is 'Une pièce d''identité d''un client.';
