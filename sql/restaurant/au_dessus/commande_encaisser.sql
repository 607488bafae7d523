create function restaurant.commande_encaisser(
  p_id_commande bigint, p_montant core.montant, p_id_moyen bigint default null, p_date timestamptz default null,
  p_utiliser_abonnement boolean default true, p_accepter_excedent boolean default false)
returns restaurant.commande_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v restaurant.commande := restaurant._commande_verrouiller(p_id_commande);
  v_facture facturation.facture;
  v_lignes restaurant.apercu_ligne[];
begin
  perform core._demande_repondue(v.statut::text);
  if v.montant_couvert is not null then
    perform core.refuser(409, 'COMMANDE_DEJA_REGLEE', 'Cette commande est déjà réglée.');
  end if;
  select * into v_facture from facturation.facture f
   where f.source_type = 'COMMANDE_RESTAURANT' and f.source_id = p_id_commande and not f.annulee
     for no key update;
  -- Units never pay an invoice on which money was received, or which a credit note has reduced.
  v_lignes := restaurant._commande_couvrir(
    p_id_commande, v.id_client,
    p_utiliser_abonnement and coalesce(v_facture.montant_paye + v_facture.montant_avoirs, 0) = 0, p_accepter_excedent);
  update restaurant.commande x
     set statut = 'PAYEE', montant_couvert = restaurant._montant_couvert(v_lignes)
   where x.id_commande = p_id_commande;
  if v_facture.id_facture is not null then
    perform restaurant._couvert_crediter(v_facture.id_facture, v_lignes);
    return restaurant._facture_encaisser(p_id_commande, v_facture.id_facture, p_montant, p_id_moyen, p_date);
  end if;
  return restaurant._commande_regler(p_id_commande, v_lignes, p_montant, p_id_moyen, p_date);
end $$;
comment on function restaurant.commande_encaisser is
  'Encaisse une commande qui n''est pas réglée : exactement ce que les abonnements du client n''en paient pas, 0 s''ils paient tout. Servie, elle a déjà sa facture : un avoir en retire ce que les abonnements paient. Elle devient PAYEE.';
-- The function writes montant_couvert with the state, once, and does not cancel.
call core.ne_refuse_pas('restaurant.commande_encaisser', 'COMMANDE_NON_REGLEE', 'COMMANDE_FIGEE',
  'ANNULATION_SANS_REMBOURSEMENT');

-- The invoice has the lines of the order, in the same order.
create function restaurant._couvert_crediter(p_id_facture bigint, p_lignes restaurant.apercu_ligne[]) returns void
language plpgsql volatile as $$
declare
  v_id_avoir bigint := nextval('facturation.avoir_id_avoir_seq');
  v_motif constant text := restaurant._motif_couvert();
begin
  if not exists (select from unnest(p_lignes) l where l.quantite > l.couvert) then
    perform facturation._facture_crediter_reste(p_id_facture, v_motif, p_rembourse => false);
  elsif exists (select from unnest(p_lignes) l where l.montant_du < l.montant_brut) then
    insert into facturation.avoir_ligne (id_avoir, id_ligne, quantite, montant)
    select v_id_avoir, c.id_ligne, l.couvert,
           case c.montant when l.montant_brut then l.montant_brut - l.montant_du -- no tax is added to the prices
                          else facturation._part_creditee(c.montant, c.quantite, l.couvert) end
      from unnest(p_lignes) with ordinality as l (id_plat, plat, quantite, couvert, excedent, abonnement_applicable,
                                                  prix_unitaire, montant_brut, montant_du, rang)
      join (select x.*, row_number() over (order by x.id_ligne) as rang
              from facturation._lignes_creditables(p_id_facture) x) c on c.rang = l.rang
     where l.montant_du < l.montant_brut order by c.id_ligne;
    perform facturation._avoir_emettre(v_id_avoir, p_id_facture, v_motif, p_rembourse => false);
  end if;
end $$;
comment on function restaurant._couvert_crediter is
  'Retire de la facture d''une commande servie, par un avoir, ce que des abonnements en paient.';
-- The lines belong to the invoice, and nothing of it is paid.
call core.ne_refuse_pas('restaurant._couvert_crediter', 'LIGNE_D_UNE_AUTRE_FACTURE', 'AVOIR_EXCESSIF',
  'REMBOURSEMENT_REQUIS');

create function restaurant._facture_encaisser(
  p_id_commande bigint, p_id_facture bigint, p_montant core.montant, p_id_moyen bigint, p_date timestamptz)
returns restaurant.commande_reglement
language plpgsql volatile as $$
declare
  v_reglement facturation.reglement := finances._reglement(p_id_facture, null);
begin
  perform facturation._paiement_exact(p_montant, v_reglement.reste);
  if v_reglement.statut = 'ANNULEE' then
    v_reglement := null;
  elsif p_montant > 0 then
    -- In one expression with the payment, the function would read the balance of before the payment.
    v_reglement.id_paiement := finances._facture_payer(p_id_facture, p_montant, p_id_moyen, p_date => p_date);
    v_reglement := finances._reglement(p_id_facture, v_reglement.id_paiement);
  end if;
  return row(restaurant.commande_detail(p_id_commande), finances._solde(v_reglement), v_reglement.numero,
             v_reglement.id_paiement)::restaurant.commande_reglement;
end $$;
comment on function restaurant._facture_encaisser is
  'Encaisse exactement ce qui reste dû de la facture d''une commande servie. Refuse PAIEMENT_DIFFERENT_DU_TOTAL.';
-- The invoice of the order stands, and the payment is what it still claims.
call core.ne_refuse_pas('restaurant.commande_encaisser', 'FACTURE_ANNULEE', 'SOUSCRIPTION_EN_VIGUEUR', 'SURPAIEMENT');
