create function restaurant.commande_encaisser(
  p_id_commande bigint, p_montant core.montant, p_id_moyen bigint default null, p_date timestamptz default null,
  p_utiliser_abonnement boolean default true, p_accepter_excedent boolean default false)
returns restaurant.commande_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v restaurant.commande;
  v_lignes restaurant.apercu_ligne[];
begin
  perform restaurant._commande(p_id_commande);
  select * into strict v from restaurant.commande x where x.id_commande = p_id_commande for no key update;
  perform core._demande_repondue(v.statut::text);
  if v.montant_couvert is not null then
    perform core.refuser(409, 'COMMANDE_DEJA_REGLEE', 'Cette commande est déjà réglée.');
  end if;
  v_lignes := restaurant._commande_couvrir(p_id_commande, v.id_client, p_utiliser_abonnement, p_accepter_excedent);
  update restaurant.commande x
     set statut = 'PAYEE', montant_couvert = restaurant._montant_couvert(v_lignes)
   where x.id_commande = p_id_commande;
  return restaurant._commande_regler(p_id_commande, v_lignes, p_montant, p_id_moyen, p_date);
end $$;
comment on function restaurant.commande_encaisser(bigint, core.montant, bigint, timestamptz, boolean, boolean) is
  'Encaisse une commande qui n''est pas réglée : exactement ce que les abonnements du client n''en paient pas, 0 s''ils paient tout. Elle devient PAYEE.';
call core.peut_refuser('restaurant.commande_encaisser', 'NOT_FOUND', 'DEMANDE_EN_ATTENTE', 'COMMANDE_DEJA_REGLEE', 'TRANSITION_INTERDITE',
  'ABONNEMENT_EXCEDENT', 'PAIEMENT_DIFFERENT_DU_TOTAL', 'PERIODE_CAISSE_FERMEE', 'CAISSE_INACTIVE',
  'MOYEN_PAIEMENT_INACTIF', 'DATE_FUTURE', 'DATE_AVANT_OUVERTURE', 'JOUR_DEJA_COMPTE', 'PERIODE_CLOTUREE', 'CREDIT_INSUFFISANT',
  'CREDIT_SANS_CLIENT');
-- The function writes montant_couvert with the state, once, and does not cancel.
call core.ne_refuse_pas('restaurant.commande_encaisser', 'COMMANDE_NON_REGLEE', 'COMMANDE_FIGEE',
  'ANNULATION_SANS_REMBOURSEMENT');
