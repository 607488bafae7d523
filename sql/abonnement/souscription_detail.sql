create function abonnement.souscription_detail(p_id_souscription bigint) returns abonnement.souscription_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select s from abonnement.souscription_detail_vue s where s.id_souscription = p_id_souscription));
end $$;
comment on function abonnement.souscription_detail is 'Un abonnement vendu et ses mouvements.';
