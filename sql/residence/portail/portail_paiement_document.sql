-- The printed receipt of a payment. Its rows are the rows of the JSON receipt.

create function residence.portail_paiement_document(p_id_paiement bigint) returns residence.document_recu
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v_paiement residence.portail_paiement := residence._portail_paiement(v_id_client, p_id_paiement);
  v residence.document_recu;
begin
  v.numero := finances._paiement_numero(v_paiement.id_paiement);
  v.fichier := 'recu-' || v.numero;
  v.organisation := core._organisation();
  v.reference := v_paiement.reference;
  v.jour := core.jour(v_paiement.date);
  v.moyen := v_paiement.mode_paiement;
  v.client := (select residence._nom_complet(row(k.nom, k.prenoms)::residence.recu_client)
                 from client.client k where k.id_client = v_id_client);
  v.montant := v_paiement.montant;
  v.factures := array(
    select row(f.numero, f.libelle, a.montant)::residence.document_recu_facture
      from finances.imputation_vue a
      join facturation.facture f on f.id_facture = a.id_facture
     where a.id_paiement = p_id_paiement and f.id_client = v_id_client
     order by a.id_application);
  v.caution := (
    select l.numero_contrat
      from residence.caution_evenement h
      join residence.caution c on c.id_caution = h.id_caution
      join residence.contrat_location l on l.id_contrat = c.id_contrat
     where h.id_paiement = p_id_paiement and l.id_client = v_id_client);
  v.jeton := core._jeton('paiement', p_id_paiement);
  return v;
end $$;
comment on function residence.portail_paiement_document is 'Reçu, en PDF, d''un paiement du résident connecté.';
