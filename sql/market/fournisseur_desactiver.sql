create function market.fournisseur_desactiver(p_id_fournisseur bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform market.fournisseur_detail(p_id_fournisseur);
  update market.fournisseur f set actif = false where f.id_fournisseur = p_id_fournisseur;
end $$;
comment on function market.fournisseur_desactiver is
  'Désactive un fournisseur : il sort des listes, ses produits le gardent.';
