create function abonnement.portail_souscriptions() returns setof abonnement.souscription_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_liste();
begin
  return query select s.* from abonnement._souscription_vue s
                where s.id_client = v_id_client order by s.date_creation desc, s.id_souscription desc;
end $$;
comment on function abonnement.portail_souscriptions is
  'Abonnements prépayés du client connecté, le dernier d''abord, clos compris.';
