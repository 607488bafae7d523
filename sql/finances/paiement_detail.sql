create function finances.paiement_detail(p_id_paiement bigint) returns finances.paiement_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return finances._paiement(p_id_paiement);
comment on function finances.paiement_detail is 'Un paiement.';
