create function market.fournisseur_detail(p_id_fournisseur bigint) returns market.fournisseur_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select f from market.fournisseur_vue f where f.id_fournisseur = p_id_fournisseur));
end $$;
comment on function market.fournisseur_detail is 'Un fournisseur.';
