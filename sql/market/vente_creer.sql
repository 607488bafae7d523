-- A sale is one transaction: lines at the prices of the catalogue, stock, invoice, payment.
-- Locks, in this order: the products by id, the till (shared), the counter of invoice numbers.

create type market.ligne_vente as (id_produit bigint, quantite core.quantite);
comment on type market.ligne_vente is 'Ligne à vendre ; son prix est celui du produit.';
comment on column market.ligne_vente.id_produit is 'Produit.';
comment on column market.ligne_vente.quantite is 'Quantité.';

create type market.paiement_vente as (montant core.montant, id_moyen bigint);
comment on type market.paiement_vente is 'Paiement d''une vente, égal à son total.';
comment on column market.paiement_vente.montant is 'Somme des lignes moins la remise.';
comment on column market.paiement_vente.id_moyen is 'Moyen de paiement.';

create type market.vente_reglement as (
  vente market.vente_detail_vue, facture facturation.facture_solde, numero text, id_paiement bigint);
comment on type market.vente_reglement is 'Vente et sa facture ; id_paiement est null si le total est zéro.';
comment on column market.vente_reglement.numero is 'Numéro de la facture.';
call core.peut_etre_null('market.vente_reglement', 'id_paiement');

create function market.vente_creer(
  p_lignes market.ligne_vente[], p_paiement market.paiement_vente, p_remise core.montant default null,
  p_id_client bigint default null)
returns market.vente_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_activite bigint := market._activite();
  v_id_vente bigint := nextval('market.vente_id_vente_seq');
  v_vente market.vente;
  v_reglement facturation.reglement;
begin
  perform market._panier_verrouiller(p_lignes);
  insert into market.vente_ligne (id_vente, id_produit, quantite, prix_unitaire, prix_achat)
  select v_id_vente, l.id_produit, l.quantite, p.prix_vente, p.prix_achat
    from unnest(p_lignes) with ordinality as l (id_produit, quantite, rang)
    join market.produit p on p.id_produit = l.id_produit
   order by l.rang;
  insert into market.vente (id_vente, id_client, remise, statut)
  overriding system value
  values (v_id_vente, client._client_resoudre(p_id_client, null), coalesce(p_remise, 0), 'PAYEE')
  returning * into v_vente;
  perform facturation._paiement_exact(p_paiement.montant, v_vente.total);
  insert into market.mouvement_stock (id_produit, type, quantite, motif, id_vente)
  select l.id_produit, 'SORTIE', sum(l.quantite), 'Vente ' || v_id_vente, v_id_vente
    from market.vente_ligne l where l.id_vente = v_id_vente
   group by l.id_produit order by l.id_produit;
  v_reglement := finances._facture_regler(
    p_source_type => 'VENTE', p_source_id => v_id_vente, p_id_activite => v_id_activite, p_id_client => p_id_client,
    p_libelle => 'Vente ' || v_id_vente, p_lignes => market._vente_lignes_a_facturer(v_id_vente),
    p_remise => v_vente.remise, p_montant => p_paiement.montant, p_id_moyen => p_paiement.id_moyen);
  return row(market._vente(v_id_vente), finances._solde(v_reglement), v_reglement.numero,
             v_reglement.id_paiement)::market.vente_reglement;
end $$;
comment on function market.vente_creer(market.ligne_vente[], market.paiement_vente, core.montant, bigint) is
  'Vend des produits au prix du catalogue et encaisse le total, remise déduite : sort le stock, émet la facture et la paie.';
call core.peut_refuser('market.vente_creer', 'NOT_FOUND', 'VENTE_SANS_LIGNE', 'PRODUIT_INCONNU', 'PRODUIT_INACTIF',
  'STOCK_INSUFFISANT', 'REMISE_EXCESSIVE', 'PAIEMENT_DIFFERENT_DU_TOTAL', 'CLIENT_INCONNU', 'PERIODE_CAISSE_FERMEE',
  'CAISSE_INACTIVE', 'MOYEN_PAIEMENT_INACTIF');
-- The function has no parameter for a new client.
call core.ne_refuse_pas('market.vente_creer', 'CLIENT_AMBIGU');
-- The lines are inserted before their sale.
call core.ne_refuse_pas('market.vente_creer', 'VENTE_FIGEE');
-- finances._paiement_exact has compared the payment with the total.
call core.ne_refuse_pas('market.vente_creer', 'SURPAIEMENT');

create function market._panier_verrouiller(p_lignes market.ligne_vente[]) returns void
language plpgsql volatile as $$
declare
  v record;
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'VENTE_SANS_LIGNE', 'Une vente compte au moins une ligne.');
  end if;
  perform market._produits_verrouiller(array(select l.id_produit from unnest(p_lignes) l));
  select l.id_produit, p.nom, p.actif into v
    from unnest(p_lignes) with ordinality as l (id_produit, quantite, rang)
    left join market.produit p on p.id_produit = l.id_produit
   where p.actif is not true
   order by l.rang limit 1;
  if found and v.actif is null then
    perform core.refuser(422, 'PRODUIT_INCONNU', format('Le produit %s n''existe pas.', v.id_produit));
  elsif found then
    perform core.refuser(409, 'PRODUIT_INACTIF', format('Le produit « %s » est désactivé.', v.nom));
  end if;
end $$;
comment on function market._panier_verrouiller(market.ligne_vente[]) is
  'Verrouille les produits d''un panier, qui doivent exister et être actifs. Refuse VENTE_SANS_LIGNE, PRODUIT_INCONNU, PRODUIT_INACTIF.';

create function market._vente_lignes_a_facturer(p_id_vente bigint) returns facturation.ligne_entree[]
language sql stable
return array(select row(l.produit, l.quantite, l.prix_unitaire)::facturation.ligne_entree
               from market.vente_ligne_vue l where l.id_vente = p_id_vente order by l.id_ligne);
comment on function market._vente_lignes_a_facturer(bigint) is 'Lignes d''une vente, pour sa facture.';
