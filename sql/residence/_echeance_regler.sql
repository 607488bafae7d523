-- The settlement records the payments of an instalment. The first payment issues its invoice.
-- Locks, in this order: the lease, then the locks of the settlement.

create function residence._echeance_regler(
  p_id_echeance bigint, p_montant core.montant, p_id_moyen bigint, p_date timestamptz default null)
returns facturation.sources_reglees
language plpgsql volatile as $$
declare
  v_contrat residence.contrat_location := residence._contrat_verrouiller(
    (residence._echeance(p_id_echeance)).id_contrat);
  v residence.echeance;
begin
  select * into strict v from residence.echeance e where e.id_echeance = p_id_echeance and not e.annulee;
  return finances._sources_regler(
    array[residence._loyer_a_regler(v_contrat.numero_contrat, v, p_montant)], residence._activite(),
    v_contrat.id_client, p_montant, p_id_moyen, p_date => p_date, p_motif => 'Loyer ' || v_contrat.numero_contrat,
    p_reference => residence._reference_loyer(v_contrat.numero_contrat, v.mois, v.annee));
end $$;
comment on function residence._echeance_regler is
  'Règlement d''une échéance : sa facture, et ce qui en est payé ; 0 ne paie rien. Refuse NOT_FOUND.';

create function residence._echeance_facturer(p_id_echeance bigint) returns facturation.facture
language plpgsql volatile as $$
declare
  v_id_facture bigint := (residence._echeance_regler(p_id_echeance, 0, null)).factures[1];
begin
  return (select f from facturation.facture f where f.id_facture = v_id_facture);
end $$;
comment on function residence._echeance_facturer is 'La facture d''une échéance, émise ici si elle n''existe pas encore. Refuse NOT_FOUND.';
