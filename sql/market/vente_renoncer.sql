create function market.vente_renoncer(p_id_vente bigint, p_motif core.texte default null)
returns market.portail_vente
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform market.portail_vente_detail(p_id_vente);
  perform core._demande_en_attente(x.statut::text)
     from (select x.statut from market.vente x where x.id_vente = p_id_vente for no key update) x;
  update market.vente x set statut = 'ANNULEE', motif_annulation = p_motif where x.id_vente = p_id_vente;
  return market.portail_vente_detail(p_id_vente);
end $$;
comment on function market.vente_renoncer is
  'Le client connecté annule sa demande à la boutique, tant qu''elle attend sa réponse.';
-- The row is a request, which has no invoice.
call core.ne_refuse_pas('market.vente_renoncer', 'TRANSITION_INTERDITE', 'ANNULATION_SANS_REMBOURSEMENT');
