call core.detail('client.client_detail', 'client.client_detail_vue', 'id_client');
comment on function client.client_detail is
  'Fiche d''un client, avec ses contacts d''urgence et ses pièces d''identité.';
