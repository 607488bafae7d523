-- Locks, in this order: the order, its invoice, the till (shared).

create function restaurant.commande_annuler(
  p_id_commande bigint, p_motif core.texte default null, p_id_caisse bigint default null)
returns restaurant.commande_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (restaurant._commande_verrouiller(p_id_commande)).statut = 'ANNULEE' then
    perform core.refuser(409, 'TRANSITION_INTERDITE', 'Cette commande est déjà annulée.');
  end if;
  perform finances._facture_annuler(f.id_facture, 'Annulation de la commande ' || p_id_commande, p_id_caisse)
     from facturation.facture f
    where f.source_type = 'COMMANDE_RESTAURANT' and f.source_id = p_id_commande and not f.annulee;
  update restaurant.commande x set statut = 'ANNULEE', motif_annulation = p_motif where x.id_commande = p_id_commande;
  return restaurant.commande_detail(p_id_commande);
end $$;
comment on function restaurant.commande_annuler is
  'Annule une commande, ou refuse une demande : rend l''argent par un paiement contraire, de la caisse donnée si l''utilisateur n''en a pas, annule la facture, et rend aux abonnements les unités prises. Le client voit le motif.';
-- The function cancels the live invoice first, and does not write the state PAYEE.
call core.ne_refuse_pas('restaurant.commande_annuler', 'ANNULATION_SANS_REMBOURSEMENT', 'FACTURE_ANNULEE',
  'COMMANDE_NON_REGLEE');
