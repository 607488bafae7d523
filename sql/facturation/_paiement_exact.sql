create function facturation._paiement_exact(p_montant numeric, p_total numeric) returns void
language plpgsql volatile as $$
begin
  if p_montant is distinct from p_total then
    perform core.refuser(400, 'PAIEMENT_DIFFERENT_DU_TOTAL',
      format('Le paiement doit être égal au total : %s.', core.montant_ecrire(p_total)),
      jsonb_build_object('total', p_total::text));
  end if;
end $$;
comment on function facturation._paiement_exact is 'Un paiement au comptant est le total, ni plus ni moins.';
