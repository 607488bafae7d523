create function finances.moyen_paiement_detail(p_id_moyen bigint) returns finances.moyen_paiement_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return finances._moyen_paiement(p_id_moyen);
comment on function finances.moyen_paiement_detail is 'Un moyen de paiement.';
