create function finances.paiement_detail(p_id_paiement bigint) returns finances.paiement_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.paiement_detail_vue;
begin
  select * into strict v from finances.paiement_detail_vue p where p.id_paiement = p_id_paiement;
  return v;
end $$;
comment on function finances.paiement_detail is 'Un paiement.';
