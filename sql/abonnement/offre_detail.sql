create function abonnement.offre_detail(p_id_offre bigint) returns abonnement.offre_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select o from abonnement.offre_vue o where o.id_offre = p_id_offre));
end $$;
comment on function abonnement.offre_detail is 'Une offre d''abonnement.';
