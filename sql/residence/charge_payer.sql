create type residence.charge_reglement as (
  charge residence.charge_facturee_vue, facture facturation.facture_solde, numero text, id_paiement bigint);
comment on type residence.charge_reglement is 'Charge après un paiement, et sa facture.';
call core.peut_etre_null('residence.charge_reglement', 'facture', 'numero', 'id_paiement');

create function residence.charge_payer(p_id_charge bigint, p_montant core.montant_du_reglement, p_id_moyen bigint)
returns residence.charge_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_regle facturation.sources_reglees := residence._charge_regler(p_id_charge, p_montant, p_id_moyen);
  v facturation.reglement := finances._reglement(v_regle.factures[1], v_regle.id_paiement);
begin
  return row(residence.charge_detail(p_id_charge), finances._solde(v), v.numero, v.id_paiement);
end $$;
comment on function residence.charge_payer is 'Paie une charge, en tout ou en partie.';
