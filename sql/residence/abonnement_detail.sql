create function residence.abonnement_detail(p_id_abonnement bigint) returns residence.abonnement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select a from residence.abonnement_vue a where a.id_abonnement = p_id_abonnement));
end $$;
comment on function residence.abonnement_detail is 'Un abonnement d''un contrat.';
