create function finances.moyen_paiement_detail(p_id_moyen bigint) returns finances.moyen_paiement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.moyen_paiement_vue;
begin
  select * into strict v from finances.moyen_paiement_vue x where x.id_moyen = p_id_moyen;
  return v;
end $$;
comment on function finances.moyen_paiement_detail is 'Un moyen de paiement.';
