-- Locks, in this order: the sale, its products by id (their movements are written in that order), the invoice, the
-- till (shared).

create function market.vente_annuler(
  p_id_vente bigint, p_motif core.texte default null, p_id_caisse bigint default null)
returns market.vente_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.vente := market._vente_verrouiller(p_id_vente);
begin
  if v.statut = 'ANNULEE' then
    perform core.refuser(409, 'TRANSITION_INTERDITE', 'Cette vente est déjà annulée.');
  end if;
  -- A request has taken nothing from the stock.
  if v.statut <> 'EN_ATTENTE' then
    perform market._vente_stock_rendre(p_id_vente, 'Annulation de la vente ' || p_id_vente);
  end if;
  perform finances._facture_annuler(f.id_facture, 'Annulation de la vente ' || p_id_vente, p_id_caisse)
     from facturation.facture f where f.source_type = 'VENTE' and f.source_id = p_id_vente and not f.annulee;
  update market.vente x set statut = 'ANNULEE', motif_annulation = p_motif where x.id_vente = p_id_vente;
  return market.vente_detail(p_id_vente);
end $$;
comment on function market.vente_annuler is
  'Annule une vente, ou refuse une demande : rend l''argent par un paiement contraire, de la caisse donnée si l''utilisateur n''en a pas, fait rentrer le stock, annule la facture. Le client voit le motif.';
-- The movements are ENTREE, and the function cancels the live invoice first.
call core.ne_refuse_pas('market.vente_annuler', 'STOCK_INSUFFISANT', 'ANNULATION_SANS_REMBOURSEMENT',
  'FACTURE_ANNULEE');
