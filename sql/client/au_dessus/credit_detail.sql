create type client.credit as (solde core.montant, mouvements finances.mouvement_credit_vue[]);
comment on type client.credit is 'Crédit d''un client et ses mouvements, du plus récent au plus ancien.';
comment on column client.credit.solde is 'Somme de tous ses mouvements, des autres activités aussi.';

create function client.credit_detail(p_id_client bigint) returns client.credit
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform client._client(p_id_client);
  return row(finances._credit(p_id_client), array(
    select m from finances.mouvement_credit_vue m
     where m.id_client = p_id_client order by m.id_mouvement desc))::client.credit;
end $$;
comment on function client.credit_detail is
  'Ce que des avoirs laissent à un client et qu''il n''a pas encore pris : solde, et mouvements que l''utilisateur peut voir. Le moyen « Crédit client » y puise.';
