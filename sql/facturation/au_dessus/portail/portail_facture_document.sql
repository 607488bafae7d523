create function facturation.portail_facture_document(p_id_facture bigint) returns facturation.document_facture
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v_facture facturation.facture;
  v facturation.document_facture;
begin
  select * into strict v_facture from facturation.facture f
   where f.id_facture = p_id_facture and f.id_client = v_id_client;
  v := finances._document_dresser(v_facture);
  v.qr_paiement := tresorerie._qr_facture(v_facture);
  return v;
end $$;
comment on function facturation.portail_facture_document is 'Facture A4 en PDF du client connecté.';
