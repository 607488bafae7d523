create function abonnement.offre_detail(p_id_offre bigint) returns abonnement.offre_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return abonnement._offre(p_id_offre);
comment on function abonnement.offre_detail is 'Une offre d''abonnement.';
