create function client.client_detail(p_id_client bigint) returns client.client_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select c from client.client_detail_vue c where c.id_client = p_id_client));
end $$;
comment on function client.client_detail is
  'Fiche d''un client, avec ses contacts d''urgence et ses pièces d''identité.';
