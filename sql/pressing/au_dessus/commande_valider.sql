-- Locks, in this order: the order, the subscriptions by id, then the locks of the settlement.

create function pressing.commande_valider(
  p_id_commande bigint, p_lignes pressing.ligne_entree[],
  p_mode_tarification pressing.mode_tarification default 'UNITAIRE', p_date_retrait_prevue date default null,
  p_paiement pressing.acompte_entree default null, p_utiliser_abonnement boolean default true,
  p_accepter_excedent boolean default false) returns pressing.commande_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v pressing.commande := pressing._commande_verrouiller(p_id_commande);
  v_reglement facturation.reglement;
begin
  perform core._demande_en_attente(v.statut::text);
  update pressing.commande c
     set (statut, date_depot, id_utilisateur, date_retrait_prevue, mode_tarification)
       = row('DEPOSE'::pressing.statut_commande, now(), coalesce(core.utilisateur(), v.id_utilisateur),
             p_date_retrait_prevue, p_mode_tarification)
   where c.id_commande = p_id_commande;
  perform pressing._lignes_ecrire(p_id_commande, p_lignes);
  perform pressing._commande_couvrir(p_id_commande, v.id_client, p_mode_tarification, p_utiliser_abonnement,
                                     p_accepter_excedent);
  if p_paiement is distinct from null then
    v_reglement := pressing._commande_regler(p_id_commande, p_paiement.montant, p_paiement.id_moyen);
  end if;
  return pressing._reponse(p_id_commande, v_reglement);
end $$;
comment on function pressing.commande_valider is
  'Accepte une demande et reçoit son linge, compté ou pesé, aux prix de ce jour : elle devient DEPOSE. Les abonnements du client en paient ce qu''ils peuvent, sauf refus ; un acompte émet la facture.';
-- The row is a request, which has no lines and no invoice.
call core.ne_refuse_pas('pressing.commande_valider', 'TRANSITION_INTERDITE', 'COMMANDE_COMMENCEE', 'COMMANDE_FACTUREE',
  'COMMANDE_COUVERTE', 'COMMANDE_DEPOSEE');
