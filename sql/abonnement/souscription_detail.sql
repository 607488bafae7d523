create function abonnement.souscription_detail(p_id_souscription bigint) returns abonnement.souscription_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return abonnement._souscription(p_id_souscription);
comment on function abonnement.souscription_detail is 'Un abonnement vendu et ses mouvements.';
