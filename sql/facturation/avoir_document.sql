create function facturation.avoir_document(p_id_avoir bigint) returns facturation.document_avoir
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_avoir facturation.avoir_detail_vue := facturation.avoir_detail(p_id_avoir);
  v facturation.document_avoir;
begin
  v.fichier := 'avoir-' || v_avoir.numero;
  v.organisation := core._organisation();
  v.numero := v_avoir.numero;
  v.jour := core.jour(v_avoir.date);
  v.heure := date_trunc('minute', v_avoir.date at time zone core.fuseau())::time;
  v.activite := (select a.libelle from core.activite a where a.id_activite = v_avoir.id_activite);
  v.vendeur := auth._nom(v_avoir.id_utilisateur);
  v.client := facturation._document_client(v_avoir.id_client);
  v.facture_numero := v_avoir.facture_numero;
  v.facture_jour := (select f.jour from facturation.facture f where f.id_facture = v_avoir.id_facture);
  v.motif := v_avoir.motif;
  v.lignes := v_avoir.lignes;
  v.montant_total := v_avoir.montant_total;
  v.taxes := array(
    select facturation._document_taxe(t.nature, t.taux, sum(l.montant - l.montant_taxe), sum(l.montant_taxe))
      from facturation.avoir_ligne l
      join facturation.facture_ligne_taxe x on x.id_ligne = l.id_ligne
      join core.taxe t on t.id_taxe = x.id_taxe
     where l.id_avoir = p_id_avoir
     group by t.id_taxe
     order by t.taux desc, t.code);
  v.montant_ht := v_avoir.montant_ht;
  v.numero_contribuable := nullif(core.parametre('NUMERO_CONTRIBUABLE'), '');
  v.montant_excedent := v_avoir.montant_excedent;
  v.rembourse := v_avoir.rembourse;
  v.jeton := core._jeton('avoir', p_id_avoir);
  return v;
end $$;
comment on function facturation.avoir_document is 'Avoir A4 en PDF.';
