create function facturation.facture_document(p_id_facture bigint) returns facturation.document_facture
language sql stable security definer set search_path = pg_catalog, pg_temp
return finances._document(p_id_facture);
comment on function facturation.facture_document is 'Facture A4 en PDF.';
