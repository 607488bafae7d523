create function market.produit_etiquette(p_id_produit bigint) returns market.document_etiquettes
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.etiquette := market._etiquette(p_id_produit);
begin
  return row('etiquette-' || v.reference, core.parametre('DEVISE_DEFAUT'), array[v])::market.document_etiquettes;
end $$;
comment on function market.produit_etiquette is
  'L''étiquette d''un produit, en PNG : son nom, son prix de vente et son code-barres, 60 mm de large.';
