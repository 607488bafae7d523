-- A served order that is not settled has an invoice: what was given stands among the debts.
-- Locks, in this order: the order, then the locks of the settlement.

create function restaurant._commande_facturer(p_id_commande bigint) returns void
language plpgsql volatile as $$
begin
  perform finances._sources_regler(
    array[row('COMMANDE_RESTAURANT', p_id_commande, 'Commande ' || p_id_commande, array(
      select facturation._ligne(p.nom, l.quantite, l.prix_unitaire, finances._taxe_vue('PLAT', p.id_plat, p.code_taxe))
        from restaurant.commande_ligne l
        join restaurant.plat p on p.id_plat = l.id_plat
       where l.id_commande = p_id_commande order by l.id_ligne), 0, 0)::facturation.source_a_regler],
    p_id_activite => restaurant._activite(),
    p_id_client => (select x.id_client from restaurant.commande x where x.id_commande = p_id_commande),
    p_montant => 0, p_id_moyen => null);
end $$;
comment on function restaurant._commande_facturer is
  'Émet la facture, impayée, d''une commande servie avant d''être réglée.';
-- Nothing is paid.
call core.ne_refuse_pas('restaurant._commande_facturer', 'SURPAIEMENT', 'PERIODE_CAISSE_FERMEE', 'CAISSE_INACTIVE',
  'MOYEN_PAIEMENT_INACTIF', 'PAIEMENT_MOYEN_INCONNU', 'CREDIT_INSUFFISANT', 'CREDIT_SANS_CLIENT');

create function restaurant._motif_couvert() returns core.texte
language sql immutable parallel safe
return 'Payé par abonnement';
comment on function restaurant._motif_couvert is 'Motif de l''avoir de ce que des abonnements paient d''une commande servie.';

create function restaurant._t20_commande_servie() returns trigger
language plpgsql volatile as $$
begin
  if not facturation._source_facturee('COMMANDE_RESTAURANT', new.id_commande) then
    perform core.refuser(409, 'COMMANDE_NON_FACTUREE', 'Une commande servie est réglée ou facturée.');
  end if;
  return new;
end $$;
comment on function restaurant._t20_commande_servie is
  'Rien n''est servi sans facture ni abonnement qui le paie. Refuse COMMANDE_NON_FACTUREE.';
-- A guard: no operation does this.
call core.ne_refuse_pas('restaurant._t20_commande_servie', 'COMMANDE_NON_FACTUREE');

-- By its name after the trigger of the transitions, which first refuses a transition that does not exist.
create trigger t30_commande_non_facturee before update of statut on restaurant.commande
  for each row when (new.statut = 'SERVIE' and old.statut <> 'SERVIE' and new.montant_couvert is null)
  execute function restaurant._t20_commande_servie();
