create function market.produit_etiquette(p_id_produit bigint) returns market.document_etiquettes
language sql stable security definer set search_path = pg_catalog, pg_temp
return (
  select row('etiquette-' || e.reference, core.parametre('DEVISE_DEFAUT'), array[e])::market.document_etiquettes
    from market._etiquette(p_id_produit) e);
comment on function market.produit_etiquette is
  'L''étiquette d''un produit, en PNG : son nom, son prix de vente et son code-barres, 60 mm de large.';
