create function market.fournisseur_detail(p_id_fournisseur bigint) returns market.fournisseur_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return market._fournisseur(p_id_fournisseur);
comment on function market.fournisseur_detail is 'Un fournisseur.';
