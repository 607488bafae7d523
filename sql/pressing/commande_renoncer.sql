create function pressing.commande_renoncer(p_id_commande bigint, p_motif core.texte default null)
returns pressing.portail_commande
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pressing.portail_commande_detail(p_id_commande);
  perform core._demande_en_attente(c.statut::text)
     from (select c.statut from pressing.commande c where c.id_commande = p_id_commande for no key update) c;
  update pressing.commande c set statut = 'ANNULEE', motif_annulation = p_motif where c.id_commande = p_id_commande;
  return pressing.portail_commande_detail(p_id_commande);
end $$;
comment on function pressing.commande_renoncer is
  'Le client connecté annule son annonce de linge, tant qu''elle attend sa réponse.';
-- The row is a request, which has no invoice.
call core.ne_refuse_pas('pressing.commande_renoncer', 'TRANSITION_INTERDITE', 'COMMANDE_FACTUREE');
