-- Locks, in this order: the bill, the till (shared).

create function achat.facture_payer(
  p_id_achat bigint, p_montant core.montant_du_reglement, p_id_moyen bigint, p_id_caisse bigint default null,
  p_id_compte bigint default null, p_date timestamptz default null, p_reference core.libelle default null)
returns achat.achat_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform achat._payer(array[row(p_id_achat, p_montant)::achat.part_a_payer], p_id_moyen, p_id_caisse, p_id_compte,
                       p_date, p_reference);
  return achat.facture_detail(p_id_achat);
end $$;
comment on function achat.facture_payer is
  'Paie une facture, en tout ou en partie, d''une caisse ouverte ou d''un compte hors caisse ; sans l''un ni l''autre, du compte de ce moyen.';
call core.ne_refuse_pas('achat.facture_payer', 'PAIEMENT_SANS_FACTURE', 'PLUSIEURS_FOURNISSEURS');
