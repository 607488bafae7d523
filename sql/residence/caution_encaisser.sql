create function residence.caution_encaisser(
  p_id_contrat bigint, p_id_moyen bigint, p_montant core.montant_du_reglement default null, p_date date default null,
  p_reference core.libelle default null)
returns residence.caution_payee
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.caution := residence._caution_verrouiller(p_id_contrat);
  v_montant core.montant_du_reglement := coalesce(p_montant, v.montant::core.montant_du_reglement);
  v_date date := residence._jour_passe(p_date);
  v_id_paiement bigint;
begin
  perform residence._caution_due(v);
  v_id_paiement := residence._paiement_caution(v, 'ENCAISSEMENT', v_montant, p_id_moyen, v_date, p_reference);
  perform residence._caution_verser(v, 'ENCAISSEMENT', v_montant, v_date, null, v_id_paiement);
  return residence._caution_payee(p_id_contrat, v_id_paiement);
end $$;
comment on function residence.caution_encaisser is
  'Encaisse la caution d''un contrat ; un autre montant que celui déclaré le remplace.';
