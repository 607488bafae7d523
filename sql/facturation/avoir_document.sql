create function facturation.avoir_document(p_id_avoir bigint) returns facturation.document_avoir
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v constant facturation.avoir_detail_vue := facturation.avoir_detail(p_id_avoir);
begin
  return row(
    'avoir-' || v.numero, core._organisation(), v.numero, core.jour(v.date),
    date_trunc('minute', v.date at time zone core.fuseau())::time,
    (select a.libelle from core.activite a where a.id_activite = v.id_activite), auth._nom(v.id_utilisateur),
    facturation._document_client(v.id_client), v.facture_numero,
    (select f.jour from facturation.facture f where f.id_facture = v.id_facture), v.motif, v.lignes, v.montant_total,
    v.montant_excedent, v.rembourse, core._jeton('avoir', p_id_avoir),
    array(select facturation._document_taxe(t.nature, t.taux, sum(l.montant - l.montant_taxe), sum(l.montant_taxe))
            from facturation.avoir_ligne l
            join facturation.facture_ligne_taxe x on x.id_ligne = l.id_ligne
            join core.taxe t on t.id_taxe = x.id_taxe
           where l.id_avoir = p_id_avoir
           group by t.id_taxe
           order by t.taux desc, t.code),
    v.montant_ht, nullif(core.parametre('NUMERO_CONTRIBUABLE'), ''))::facturation.document_avoir;
end $$;
comment on function facturation.avoir_document is 'Avoir A4 en PDF.';
