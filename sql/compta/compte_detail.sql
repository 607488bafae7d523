create function compta.compte_detail(p_cas text) returns compta.compte_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return compta._compte(p_cas);
comment on function compta.compte_detail is 'Un cas et son compte.';
