-- Locks, in this order: the products by id, the till (shared), the counter of invoice numbers.

create type market.paiement_vente as (montant core.montant, id_moyen bigint);
comment on type market.paiement_vente is 'Paiement d''une vente, égal à son total.';
comment on column market.paiement_vente.montant is 'Somme des lignes moins la remise.';
comment on column market.paiement_vente.id_moyen is 'Moyen de paiement.';

create function market.vente_creer(
  p_lignes market.ligne_vente[], p_paiement market.paiement_vente, p_remise core.montant default null,
  p_id_client bigint default null)
returns market.vente_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_vente bigint := nextval('market.vente_id_vente_seq');
begin
  perform market._activite();
  perform market._panier_verrouiller(p_lignes);
  perform market._vente_lignes_ecrire(v_id_vente, p_lignes);
  insert into market.vente (id_vente, id_client, remise, statut, date)
  overriding system value
  values (v_id_vente, client._client_resoudre(p_id_client, null), coalesce(p_remise, 0), 'PAYEE',
          coalesce(core.moment(), now()));
  perform market._vente_stock_sortir(v_id_vente, 'Vente ' || v_id_vente);
  return market._vente_regler(v_id_vente, p_paiement.montant, p_paiement.id_moyen);
end $$;
comment on function market.vente_creer is
  'Vend des produits au prix du catalogue et encaisse le total, remise déduite : sort le stock, émet la facture et la paie.';
