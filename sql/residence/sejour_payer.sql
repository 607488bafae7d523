create function residence.sejour_payer(p_id_sejour bigint, p_montant core.montant_du_reglement, p_id_moyen bigint)
returns residence.sejour_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.sejour_court := residence._sejour_verrouiller(p_id_sejour);
begin
  perform core._demande_repondue(v.statut::text);
  if v.statut = 'ANNULE' then
    perform core.refuser(409, 'SEJOUR_ANNULE', 'Ce séjour est annulé : il ne se paie plus.');
  end if;
  return residence._sejour_regler(p_id_sejour, p_montant, p_id_moyen);
end $$;
comment on function residence.sejour_payer is
  'Paie un séjour, en tout ou en partie ; le premier paiement émet sa facture, le dernier le termine.';
