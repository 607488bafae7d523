-- The settlement of an order: the subscriptions of its client pay what they cover, and the invoice bears the rest.
-- Locks, in this order: the order, the subscriptions by id, then the locks of the settlement.

create type restaurant.ligne_a_regler as (
  id_plat bigint, plat text, couverture bigint, quantite core.nombre, prix_unitaire core.montant);
comment on type restaurant.ligne_a_regler is 'Ligne d''une commande et la catégorie de son plat.';

create type restaurant.apercu_ligne as (
  id_plat bigint, plat text, quantite core.nombre, couvert abonnement.nombre, excedent abonnement.nombre,
  abonnement_applicable boolean, prix_unitaire core.montant, montant_brut core.montant, montant_du core.montant);
comment on type restaurant.apercu_ligne is 'Ce que paient les abonnements d''une ligne, et ce qui reste dû.';
comment on column restaurant.apercu_ligne.couvert is 'Unités que paient les abonnements.';
comment on column restaurant.apercu_ligne.excedent is 'Unités qu''un abonnement en vigueur paierait s''il lui en restait.';
comment on column restaurant.apercu_ligne.abonnement_applicable is 'Vrai si un abonnement en vigueur du client paie ce plat.';
comment on column restaurant.apercu_ligne.montant_brut is 'Quantité × prix.';
comment on column restaurant.apercu_ligne.montant_du is 'Prix des unités que les abonnements ne paient pas.';

create type restaurant.commande_reglement as (
  commande restaurant.commande_detail_vue, facture facturation.facture_solde, numero text, id_paiement bigint);
comment on type restaurant.commande_reglement is 'Commande et sa facture ; id_paiement est null si rien n''est dû.';
comment on column restaurant.commande_reglement.facture is 'Null quand des abonnements paient tout.';
comment on column restaurant.commande_reglement.numero is 'Numéro de la facture.';
call core.peut_etre_null('restaurant.commande_reglement', 'facture', 'numero', 'id_paiement');

create function restaurant._lignes_a_regler(p_id_commande bigint) returns restaurant.ligne_a_regler[]
language sql stable
return array(select row(l.id_plat, p.nom, p.id_categorie_plat, l.quantite, l.prix_unitaire)::restaurant.ligne_a_regler
               from restaurant.commande_ligne l
               join restaurant.plat p on p.id_plat = l.id_plat
              where l.id_commande = p_id_commande order by l.id_ligne);
comment on function restaurant._lignes_a_regler is 'Lignes d''une commande, à ses prix.';

create function restaurant._lignes_a_couvrir(p_lignes restaurant.ligne_a_regler[]) returns abonnement.ligne_a_couvrir[]
language sql immutable parallel safe
return array(select row(l.couverture, l.quantite)::abonnement.ligne_a_couvrir
               from unnest(p_lignes) with ordinality as l (id_plat, plat, couverture, quantite, prix_unitaire, rang)
              order by l.rang);
comment on function restaurant._lignes_a_couvrir is 'Les mêmes lignes, pour les abonnements.';

create function restaurant._apercevoir(p_lignes restaurant.ligne_a_regler[], p_parts abonnement.part[])
returns restaurant.apercu_ligne[]
language sql stable
return array(
  select row(l.id_plat, l.plat, l.quantite, trim_scale(p.couvert),
             trim_scale(p.excedent), p.nombre > 0, l.prix_unitaire,
             round(l.quantite * l.prix_unitaire, 2), round((l.quantite - p.couvert) * l.prix_unitaire, 2))
         ::restaurant.apercu_ligne
    from unnest(p_lignes) with ordinality as l (id_plat, plat, couverture, quantite, prix_unitaire, rang)
   cross join lateral (
      select coalesce(sum(x.quantite) filter (where x.id_souscription is not null), 0) as couvert,
             coalesce(sum(x.quantite) filter (where x.id_souscription is null), 0) as excedent, count(*) as nombre
        from unnest(p_parts) x where x.rang = l.rang) p
   order by l.rang);
comment on function restaurant._apercevoir is 'Chaque ligne, ce que ses parts en paient et ce qui reste dû.';

create function restaurant._commande_couvrir(
  p_id_commande bigint, p_id_client bigint, p_utiliser_abonnement boolean, p_accepter_excedent boolean)
returns restaurant.apercu_ligne[]
language plpgsql volatile as $$
declare
  v_lignes restaurant.ligne_a_regler[] := restaurant._lignes_a_regler(p_id_commande);
  v_parts abonnement.part[];
begin
  if p_utiliser_abonnement and p_id_client is not null then
    v_parts := abonnement._consommer(p_id_client, 'REPAS', restaurant._lignes_a_couvrir(v_lignes), p_accepter_excedent,
                                     p_id_commande_restaurant => p_id_commande);
  end if;
  return restaurant._apercevoir(v_lignes, v_parts);
end $$;
comment on function restaurant._commande_couvrir is
  'Prend aux abonnements du client ce qu''ils paient d''une commande. Refuse ABONNEMENT_EXCEDENT.';

create function restaurant._montant_couvert(p_lignes restaurant.apercu_ligne[]) returns numeric
language sql immutable parallel safe
return (select sum(l.montant_brut - l.montant_du) from unnest(p_lignes) l);
comment on function restaurant._montant_couvert is 'Part d''un total que paient les abonnements.';

create function restaurant._commande_regler(
  p_id_commande bigint, p_lignes restaurant.apercu_ligne[], p_montant core.montant, p_id_moyen bigint,
  p_date timestamptz default null)
returns restaurant.commande_reglement
language plpgsql volatile as $$
declare
  v_lignes facturation.ligne_a_facturer[] := array(
    select facturation._ligne(l.plat, l.quantite - l.couvert, l.prix_unitaire, (
             select finances._taxe_vue('PLAT', p.id_plat, p.code_taxe)
               from restaurant.plat p where p.id_plat = l.id_plat))
      from unnest(p_lignes) with ordinality as l (id_plat, plat, quantite, couvert, excedent, abonnement_applicable,
                                                  prix_unitaire, montant_brut, montant_du, rang)
     where l.quantite > l.couvert order by l.rang);
  v_reglees facturation.sources_reglees;
  v_reglement facturation.reglement;
begin
  if cardinality(v_lignes) > 0 then
    v_reglees := finances._sources_regler(
      array[row('COMMANDE_RESTAURANT', p_id_commande, 'Commande ' || p_id_commande, v_lignes, 0, p_montant)
            ::facturation.source_a_regler],
      p_id_activite => restaurant._activite(),
      p_id_client => (select x.id_client from restaurant.commande x where x.id_commande = p_id_commande),
      p_montant => p_montant, p_id_moyen => p_id_moyen, p_date => p_date, p_comptant => true);
    v_reglement := finances._reglement(v_reglees.factures[1], v_reglees.id_paiement);
    perform facturation._paiement_exact(v_reglement.montant_paye, v_reglement.montant_total);
  else
    perform facturation._paiement_exact(p_montant, 0);
  end if;
  return row(restaurant.commande_detail(p_id_commande), finances._solde(v_reglement), v_reglement.numero,
             v_reglement.id_paiement)::restaurant.commande_reglement;
end $$;
comment on function restaurant._commande_regler is
  'Encaisse exactement ce que les abonnements ne paient pas d''une commande, et en émet la facture ; rien à facturer, pas de facture. Refuse PAIEMENT_DIFFERENT_DU_TOTAL.';
-- The settlement compares the payment with the total.
call core.ne_refuse_pas('restaurant._commande_regler', 'SURPAIEMENT');
