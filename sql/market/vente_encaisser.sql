-- Locks, in this order: the sale, the till (shared), the counter of invoice numbers.

create function market.vente_encaisser(
  p_id_vente bigint, p_montant core.montant, p_id_moyen bigint, p_date timestamptz default null)
returns market.vente_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.vente := market._vente_verrouiller(p_id_vente);
begin
  perform core._demande_repondue(v.statut::text);
  if v.statut = 'PAYEE' then
    perform core.refuser(409, 'TRANSITION_INTERDITE', 'Cette vente est déjà payée.');
  end if;
  perform facturation._paiement_exact(p_montant, f.reste)
     from facturation.facture f
    where f.source_type = 'VENTE' and f.source_id = p_id_vente and not f.annulee;
  update market.vente x set statut = 'PAYEE' where x.id_vente = p_id_vente;
  return market._vente_regler(p_id_vente, p_montant, p_id_moyen, p_date);
end $$;
comment on function market.vente_encaisser is 'Encaisse une vente acceptée : exactement ce qui reste dû de sa facture.';
-- The function does not cancel.
call core.ne_refuse_pas('market.vente_encaisser', 'ANNULATION_SANS_REMBOURSEMENT');
