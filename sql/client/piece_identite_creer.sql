call core.creation('client.piece_identite_creer', 'client.piece_identite', 'client._piece_identite',
  'client._client(p_id_client)', 'id_client', 'type_piece', 'numero', 'date_delivrance', 'date_expiration',
  'autorite_delivrance', 'copie_num', 'copie_num_verso');
comment on function client.piece_identite_creer is 'Ajoute une pièce d''identité à un client.';
