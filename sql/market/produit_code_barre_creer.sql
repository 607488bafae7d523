create function market.produit_code_barre_creer(p_id_produit bigint) returns market.produit_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.produit;
begin
  perform market.produit_detail(p_id_produit);
  select * into strict v from market.produit p where p.id_produit = p_id_produit for no key update;
  if v.code_barre is not null then
    perform core.refuser(400, 'CODE_BARRE_DEJA_DONNE',
      format('« %s » a déjà le code-barres %s : effacez-le d''abord pour lui en donner un autre.',
             v.nom, v.code_barre));
  end if;
  update market.produit p set code_barre = market._code_barre_suivant() where p.id_produit = p_id_produit;
  return market.produit_detail(p_id_produit);
end $$;
comment on function market.produit_code_barre_creer is
  'Donne un code-barres interne à un produit qui n''en a pas : un EAN-13 de préfixe 20, qu''aucun fournisseur n''emploie.';
-- The function makes the code.
call core.peut_refuser('market.produit_code_barre_creer', 'CODE_BARRE_EXISTANT');
