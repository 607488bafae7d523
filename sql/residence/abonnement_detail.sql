create function residence.abonnement_detail(p_id_abonnement bigint) returns residence.abonnement_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return residence._abonnement(p_id_abonnement);
comment on function residence.abonnement_detail is 'Un abonnement d''un contrat.';
