-- Locks, in this order: the lease, then the locks of the settlement.

create type residence.echeance_encaissee as (
  echeance residence.echeance_vue, facture facturation.facture_solde, numero text, id_paiement bigint);
comment on type residence.echeance_encaissee is 'Échéance encaissée et sa facture.';
comment on column residence.echeance_encaissee.numero is 'Numéro de la facture.';
call core.peut_etre_null('residence.echeance_encaissee', 'id_paiement');

create function residence.echeance_encaisser(
  p_id_echeance bigint, p_montant core.montant_du_reglement, p_id_moyen bigint, p_date timestamptz default null)
returns residence.echeance_encaissee
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_regle facturation.sources_reglees := residence._echeance_regler(p_id_echeance, p_montant, p_id_moyen, p_date);
  v facturation.reglement := finances._reglement(v_regle.factures[1], v_regle.id_paiement);
begin
  return row(residence._echeance(p_id_echeance), finances._solde(v), v.numero,
             v.id_paiement)::residence.echeance_encaissee;
end $$;
comment on function residence.echeance_encaisser is
  'Encaisse une échéance, en tout ou en partie ; le premier paiement en fait la facture.';
