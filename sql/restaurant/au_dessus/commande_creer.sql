create type restaurant.paiement_commande as (montant core.montant, id_moyen bigint);
comment on type restaurant.paiement_commande is 'Paiement d''une commande, égal à ce qui en est dû.';
comment on column restaurant.paiement_commande.montant is 'Somme des lignes, abonnements déduits.';
comment on column restaurant.paiement_commande.id_moyen is 'Moyen de paiement.';

create function restaurant.commande_creer(
  p_type restaurant.type_commande, p_lignes restaurant.ligne_commande[],
  p_paiement restaurant.paiement_commande default null, p_id_client bigint default null,
  p_utiliser_abonnement boolean default true, p_accepter_excedent boolean default false)
returns restaurant.commande_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_commande bigint := nextval('restaurant.commande_id_commande_seq');
  v_lignes restaurant.apercu_ligne[];
begin
  perform restaurant._activite();
  perform restaurant._plats_disponibles(p_lignes);
  perform restaurant._commande_lignes_ecrire(v_id_commande, p_lignes);
  v_lignes := restaurant._commande_couvrir(v_id_commande, client._client_resoudre(p_id_client, null),
                                           p_utiliser_abonnement, p_accepter_excedent);
  insert into restaurant.commande (id_commande, id_client, type, montant_couvert, date)
  overriding system value
  values (v_id_commande, p_id_client, p_type, restaurant._montant_couvert(v_lignes),
          coalesce(core.moment(), now()));
  return restaurant._commande_regler(
    v_id_commande, v_lignes, case when p_paiement is null then 0 else p_paiement.montant end, p_paiement.id_moyen);
end $$;
comment on function restaurant.commande_creer is
  'Passe une commande au prix de la carte et l''encaisse en entier : les abonnements du client en paient ce qu''ils peuvent, sauf refus, et le paiement est exactement le reste ; la facture ne porte que lui. Payée en entier par des abonnements, la commande n''a ni paiement ni facture.';
