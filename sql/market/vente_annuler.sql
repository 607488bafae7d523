-- Locks, in this order: the sale, its products by id (their movements are written in that order), the invoice, the
-- till (shared).

create function market.vente_annuler(p_id_vente bigint) returns market.vente_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.vente;
begin
  perform market._vente(p_id_vente);
  select * into strict v from market.vente x where x.id_vente = p_id_vente for no key update;
  if v.statut = 'ANNULEE' then
    perform core.refuser(409, 'TRANSITION_INTERDITE', 'Cette vente est déjà annulée.');
  end if;
  insert into market.mouvement_stock (id_produit, type, quantite, motif, id_vente)
  select l.id_produit, 'ENTREE', sum(l.quantite), 'Annulation de la vente ' || p_id_vente, p_id_vente
    from market.vente_ligne l where l.id_vente = p_id_vente
   group by l.id_produit order by l.id_produit;
  perform finances._facture_annuler(f.id_facture, 'Annulation de la vente ' || p_id_vente)
     from facturation.facture f where f.source_type = 'VENTE' and f.source_id = p_id_vente and not f.annulee;
  update market.vente x set statut = 'ANNULEE' where x.id_vente = p_id_vente;
  return market._vente(p_id_vente);
end $$;
comment on function market.vente_annuler(bigint) is
  'Annule une vente : rend l''argent par un paiement contraire, fait rentrer le stock, annule la facture.';
call core.peut_refuser('market.vente_annuler', 'NOT_FOUND', 'TRANSITION_INTERDITE', 'PERIODE_CAISSE_FERMEE',
  'CAISSE_INACTIVE');
-- The movements are ENTREE.
call core.ne_refuse_pas('market.vente_annuler', 'STOCK_INSUFFISANT');
-- The function cancels the live invoice first.
call core.ne_refuse_pas('market.vente_annuler', 'ANNULATION_SANS_REMBOURSEMENT', 'FACTURE_ANNULEE');
