create type client.piece_identite_champs as (
  date_delivrance date,
  date_expiration date,
  autorite_delivrance core.libelle,
  copie_num core.cle_objet,
  copie_num_verso core.cle_objet
);
comment on type client.piece_identite_champs is
  'Champs modifiables d''une pièce d''identité ; sa nature et son numéro ne changent pas.';

create function client.piece_identite_modifier(p_id_client bigint, p_id_piece bigint, p_champs jsonb)
returns client.piece_identite_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform client._client(p_id_client);
  update client.piece_identite p
     set (date_delivrance, date_expiration, autorite_delivrance, copie_num, copie_num_verso) =
         (select v.date_delivrance, v.date_expiration, v.autorite_delivrance, v.copie_num, v.copie_num_verso
            from jsonb_populate_record(p, p_champs) v)
   where p.id_piece = p_id_piece and p.id_client = p_id_client;
  return client.piece_identite_detail(p_id_client, p_id_piece);
end $$;
comment on function client.piece_identite_modifier is
  'Modifie les dates, l''autorité ou les copies d''une pièce d''identité.';
