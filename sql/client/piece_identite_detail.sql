create function client.piece_identite_detail(p_id_client bigint, p_id_piece bigint) returns client.piece_identite_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((
  select p from client.piece_identite_vue p where p.id_piece = p_id_piece and p.id_client = p_id_client));
comment on function client.piece_identite_detail is 'Une pièce d''identité d''un client.';
