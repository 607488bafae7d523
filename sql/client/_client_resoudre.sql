create type client.client_nouveau as (
  nom core.libelle,
  prenoms core.libelle,
  tel_principal core.telephone,
  type_client client.type_client
);
comment on type client.client_nouveau is 'Client à enregistrer avec l''opération.';
comment on column client.client_nouveau.nom is 'Nom de famille.';
comment on column client.client_nouveau.prenoms is 'Prénoms.';
comment on column client.client_nouveau.tel_principal is 'Téléphone (exemple : +2250700000000).';
comment on column client.client_nouveau.type_client is 'PASSAGE s''il n''est pas donné.';
call core.peut_etre_null('client.client_nouveau', 'type_client');

create function client._client_resoudre(p_id_client bigint, p_client client.client_nouveau) returns bigint
language plpgsql volatile as $$
declare
  v_id_client bigint;
begin
  if p_client is null then
    if p_id_client is null then
      return null;
    elsif not exists (select from client.client_vue c where c.id_client = p_id_client) then
      perform core.refuser(422, 'CLIENT_INCONNU', 'Ce client n''existe pas.');
    end if;
    return p_id_client;
  elsif p_id_client is not null then
    perform core.refuser(400, 'CLIENT_AMBIGU', 'Donnez un client connu ou un nouveau client, pas les deux.');
  end if;
  insert into client.client (nom, prenoms, tel_principal, type_client)
  values (p_client.nom, p_client.prenoms, p_client.tel_principal, coalesce(p_client.type_client, 'PASSAGE'))
  returning id_client into v_id_client;
  return v_id_client;
end $$;
comment on function client._client_resoudre is
  'Client d''une opération : celui désigné, ou le nouveau, enregistré ici ; null sans l''un ni l''autre. Refuse CLIENT_AMBIGU, CLIENT_INCONNU.';
call core.ne_refuse_que('client._client_resoudre', 'client', 'CLIENT_AMBIGU');
-- The new client has no taxpayer number.
call core.ne_refuse_pas('client._client_resoudre', 'NUMERO_CONTRIBUABLE_INVALIDE');
