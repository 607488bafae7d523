create function client.piece_identite_creer(
  p_id_client bigint, p_type_piece client.type_piece, p_numero core.libelle,
  p_date_delivrance date default null, p_date_expiration date default null,
  p_autorite_delivrance core.libelle default null,
  p_copie_num core.cle_objet default null, p_copie_num_verso core.cle_objet default null)
returns client.piece_identite_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_piece bigint;
begin
  perform client._client(p_id_client);
  insert into client.piece_identite (id_client, type_piece, numero, date_delivrance, date_expiration,
                                     autorite_delivrance, copie_num, copie_num_verso)
  values (p_id_client, p_type_piece, p_numero, p_date_delivrance, p_date_expiration,
          p_autorite_delivrance, p_copie_num, p_copie_num_verso)
  returning id_piece into v_id_piece;
  return client.piece_identite_detail(p_id_client, v_id_piece);
end $$;
comment on function client.piece_identite_creer is 'Ajoute une pièce d''identité à un client.';
