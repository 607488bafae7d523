-- An order is one transaction: lines at the prices of the menu, invoice, payment in full.

create type restaurant.ligne_commande as (id_plat bigint, quantite core.nombre);
comment on type restaurant.ligne_commande is 'Plat commandé ; son prix est celui de la carte.';
comment on column restaurant.ligne_commande.id_plat is 'Plat.';
comment on column restaurant.ligne_commande.quantite is 'Quantité.';

create type restaurant.paiement_commande as (montant core.montant, id_moyen bigint);
comment on type restaurant.paiement_commande is 'Paiement d''une commande, égal à son total.';
comment on column restaurant.paiement_commande.montant is 'Somme des lignes.';
comment on column restaurant.paiement_commande.id_moyen is 'Moyen de paiement.';

create type restaurant.commande_reglement as (
  commande restaurant.commande_detail_vue, facture facturation.facture_solde, numero text, id_paiement bigint);
comment on type restaurant.commande_reglement is 'Commande et sa facture ; id_paiement est null si le total est zéro.';
comment on column restaurant.commande_reglement.numero is 'Numéro de la facture.';
call core.peut_etre_null('restaurant.commande_reglement', 'id_paiement');

create function restaurant.commande_creer(
  p_type restaurant.type_commande, p_lignes restaurant.ligne_commande[], p_paiement restaurant.paiement_commande,
  p_id_client bigint default null, p_utiliser_abonnement boolean default true,
  p_accepter_excedent boolean default false)
returns restaurant.commande_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_activite bigint := restaurant._activite();
  v_id_commande bigint := nextval('restaurant.commande_id_commande_seq');
  v_total core.montant;
  v_reglement facturation.reglement;
begin
  perform p_utiliser_abonnement, p_accepter_excedent; -- newer clients always send these; they have no effect yet
  perform restaurant._plats_disponibles(p_lignes);
  insert into restaurant.commande_ligne (id_commande, id_plat, quantite, prix_unitaire)
  select v_id_commande, l.id_plat, l.quantite, p.prix
    from unnest(p_lignes) with ordinality as l (id_plat, quantite, rang)
    join restaurant.plat p on p.id_plat = l.id_plat
   order by l.rang;
  insert into restaurant.commande (id_commande, id_client, type)
  overriding system value
  values (v_id_commande, client._client_resoudre(p_id_client, null), p_type)
  returning total into v_total;
  perform facturation._paiement_exact(p_paiement.montant, v_total);
  v_reglement := finances._facture_regler(
    p_source_type => 'COMMANDE_RESTAURANT', p_source_id => v_id_commande, p_id_activite => v_id_activite,
    p_id_client => p_id_client, p_libelle => 'Commande ' || v_id_commande,
    p_lignes => restaurant._commande_lignes_a_facturer(v_id_commande),
    p_montant => p_paiement.montant, p_id_moyen => p_paiement.id_moyen);
  return row(restaurant._commande(v_id_commande), finances._solde(v_reglement),
             v_reglement.numero, v_reglement.id_paiement)::restaurant.commande_reglement;
end $$;
comment on function restaurant.commande_creer(restaurant.type_commande, restaurant.ligne_commande[],
  restaurant.paiement_commande, bigint, boolean, boolean) is
  'Passe une commande au prix de la carte et l''encaisse en entier : émet sa facture et la paie ; elle commence EN_COURS.';
call core.peut_refuser('restaurant.commande_creer', 'NOT_FOUND', 'COMMANDE_SANS_LIGNE', 'PLAT_INCONNU',
  'PLAT_INDISPONIBLE', 'PAIEMENT_DIFFERENT_DU_TOTAL', 'CLIENT_INCONNU', 'PERIODE_CAISSE_FERMEE', 'CAISSE_INACTIVE',
  'MOYEN_PAIEMENT_INACTIF');
-- The function has no parameter for a new client.
call core.ne_refuse_pas('restaurant.commande_creer', 'CLIENT_AMBIGU');
-- The lines are inserted before their order.
call core.ne_refuse_pas('restaurant.commande_creer', 'COMMANDE_FIGEE');
-- finances._paiement_exact has compared the payment with the total, and the function passes no discount.
call core.ne_refuse_pas('restaurant.commande_creer', 'SURPAIEMENT', 'REMISE_EXCESSIVE');

create function restaurant._plats_disponibles(p_lignes restaurant.ligne_commande[]) returns void
language plpgsql stable as $$
declare
  v record;
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'COMMANDE_SANS_LIGNE', 'Une commande compte au moins une ligne.');
  end if;
  select l.id_plat, p.nom, p.disponible into v
    from unnest(p_lignes) with ordinality as l (id_plat, quantite, rang)
    left join restaurant.plat p on p.id_plat = l.id_plat
   where p.disponible is not true
   order by l.rang limit 1;
  if found and v.disponible is null then
    perform core.refuser(422, 'PLAT_INCONNU', format('Le plat %s n''existe pas.', v.id_plat));
  elsif found then
    perform core.refuser(409, 'PLAT_INDISPONIBLE', format('« %s » n''est pas disponible.', v.nom),
                         jsonb_build_object('id_plat', v.id_plat::text, 'plat', v.nom));
  end if;
end $$;
comment on function restaurant._plats_disponibles(restaurant.ligne_commande[]) is
  'Vérifie que chaque plat commandé existe et est disponible. Refuse COMMANDE_SANS_LIGNE, PLAT_INCONNU, PLAT_INDISPONIBLE.';

create function restaurant._commande_lignes_a_facturer(p_id_commande bigint) returns facturation.ligne_entree[]
language sql stable
return array(select row(l.plat, l.quantite, l.prix_unitaire)::facturation.ligne_entree
               from restaurant.commande_ligne_vue l where l.id_commande = p_id_commande order by l.id_ligne);
comment on function restaurant._commande_lignes_a_facturer(bigint) is 'Lignes d''une commande, pour sa facture.';
