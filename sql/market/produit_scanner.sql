create function market.produit_scanner(p_code_barre text) returns market.produit_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((select p from market.produit_vue p where p.code_barre = btrim(p_code_barre, E' \t\r\n')));
comment on function market.produit_scanner is
  'Le produit d''un code-barres lu, désactivé ou non. À la réception, un mouvement ENTREE par article lu le fait entrer en stock.';
