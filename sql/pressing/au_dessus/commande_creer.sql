create type pressing.acompte_entree as (montant core.montant_du_reglement, id_moyen bigint);
comment on type pressing.acompte_entree is 'Acompte versé à la dépose.';
comment on column pressing.acompte_entree.montant is 'Somme versée, le total au plus.';
comment on column pressing.acompte_entree.id_moyen is 'Moyen de paiement.';

create function pressing.commande_creer(
  p_id_client bigint, p_lignes pressing.ligne_entree[], p_date_retrait_prevue date default null,
  p_paiement pressing.acompte_entree default null, p_mode_tarification pressing.mode_tarification default 'UNITAIRE',
  p_utiliser_abonnement boolean default true, p_accepter_excedent boolean default false)
returns pressing.commande_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_commande bigint := nextval('pressing.commande_id_commande_seq');
  v_reglement facturation.reglement;
begin
  perform pressing._activite();
  perform pressing._lignes_ecrire(v_id_commande, p_lignes);
  perform pressing._commande_couvrir(v_id_commande, p_id_client, p_mode_tarification, p_utiliser_abonnement,
                                     p_accepter_excedent);
  insert into pressing.commande (id_commande, id_client, date_retrait_prevue, mode_tarification)
  overriding system value values (v_id_commande, p_id_client, p_date_retrait_prevue, p_mode_tarification);
  if p_paiement is distinct from null then
    v_reglement := pressing._commande_regler(v_id_commande, p_paiement.montant, p_paiement.id_moyen);
  end if;
  return pressing._reponse(v_id_commande, v_reglement);
end $$;
comment on function pressing.commande_creer is
  'Reçoit du linge, à la pièce (UNITAIRE) ou au poids (POIDS), au prix du kilo de ce jour. Les abonnements du client en paient ce qu''ils peuvent. Un acompte émet la facture de la commande, PARTIELLE, ou PAYEE s''il vaut le reste ; il ne le dépasse pas.';
-- The lines are inserted before their order.
call core.ne_refuse_pas('pressing.commande_creer', 'COMMANDE_COMMENCEE', 'COMMANDE_FACTUREE', 'COMMANDE_COUVERTE');
