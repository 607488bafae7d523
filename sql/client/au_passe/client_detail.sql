create function client.client_detail(p_id_client bigint, p_instant timestamptz default null)
returns client.client_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v client.client_detail_vue;
begin
  if p_instant is not null then
    return audit._ligne_passee(v, p_id_client, p_instant);
  end if;
  select * into strict v from client.client_detail_vue c where c.id_client = p_id_client;
  return v;
end $$;
comment on function client.client_detail is
  'Fiche d''un client, avec ses contacts d''urgence et ses pièces d''identité. « instant » : comme à cet instant passé.';
