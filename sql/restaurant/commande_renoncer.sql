create function restaurant.commande_renoncer(p_id_commande bigint, p_motif core.texte default null)
returns restaurant.portail_commande
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform restaurant.portail_commande_detail(p_id_commande);
  perform core._demande_en_attente(x.statut::text)
     from (select x.statut from restaurant.commande x where x.id_commande = p_id_commande for no key update) x;
  update restaurant.commande x set statut = 'ANNULEE', motif_annulation = p_motif where x.id_commande = p_id_commande;
  return restaurant.portail_commande_detail(p_id_commande);
end $$;
comment on function restaurant.commande_renoncer is
  'Le client connecté annule sa commande au restaurant, tant qu''elle attend sa réponse.';
-- The row is a request, which has no invoice, and the function does not pay it.
call core.ne_refuse_pas('restaurant.commande_renoncer', 'TRANSITION_INTERDITE', 'ANNULATION_SANS_REMBOURSEMENT',
  'COMMANDE_NON_REGLEE');
