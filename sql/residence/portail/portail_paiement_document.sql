-- The printed receipt of a payment. Its rows are the rows of the JSON receipt.

create function residence.portail_paiement_document(p_id_paiement bigint) returns residence.document_recu
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v residence.portail_paiement := residence._portail_paiement(v_id_client, p_id_paiement);
  v_numero text := finances._paiement_numero(v.id_paiement);
begin
  return row(
    'recu-' || v_numero, core._organisation(), v_numero, v.reference, core.jour(v.date), v.mode_paiement,
    (select concat_ws(' ', k.prenoms, k.nom) from client.client k where k.id_client = v_id_client),
    v.montant, null, null,
    array(select row(f.numero, f.libelle, a.montant)::residence.document_recu_facture
            from finances.imputation_vue a
            join facturation.facture f on f.id_facture = a.id_facture
           where a.id_paiement = p_id_paiement and f.id_client = v_id_client
           order by a.id_application),
    (select l.numero_contrat
       from residence.caution_evenement h
       join residence.caution c on c.id_caution = h.id_caution
       join residence.contrat_location l on l.id_contrat = c.id_contrat
      where h.id_paiement = p_id_paiement and l.id_client = v_id_client),
    core._jeton('paiement', p_id_paiement))::residence.document_recu;
end $$;
comment on function residence.portail_paiement_document is 'Reçu, en PDF, d''un paiement du résident connecté.';
