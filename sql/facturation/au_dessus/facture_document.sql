create function facturation.facture_document(p_id_facture bigint) returns facturation.document_facture
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_facture facturation.facture;
  v facturation.document_facture;
begin
  select * into strict v_facture from facturation.facture f
   where f.id_facture = p_id_facture and core._visible(f.id_activite, core.activite());
  v := finances._document_dresser(v_facture);
  v.vendeur := auth._nom(v_facture.id_utilisateur);
  v.qr_paiement := tresorerie._qr_facture(v_facture);
  return v;
end $$;
comment on function facturation.facture_document is 'Facture A4 en PDF.';
