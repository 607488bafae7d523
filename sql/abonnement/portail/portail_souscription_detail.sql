create function abonnement.portail_souscription_detail(p_id_souscription bigint)
returns abonnement.souscription_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
begin
  return core._trouve((
    select row(s.*, array(select m from abonnement.mouvement_vue m
                           where m.id_souscription = s.id_souscription order by m.id_mouvement))
           ::abonnement.souscription_detail_vue
      from abonnement._souscription_vue s
     where s.id_souscription = p_id_souscription and s.id_client = v_id_client));
end $$;
comment on function abonnement.portail_souscription_detail is
  'Un abonnement prépayé du client connecté, et ses mouvements.';
