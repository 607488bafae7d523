-- Locks, in this order: the bills by id, the till (shared).

create function achat.paiement_creer(
  p_factures achat.part_a_payer[], p_id_moyen bigint, p_id_caisse bigint default null, p_id_compte bigint default null,
  p_date timestamptz default null, p_reference core.libelle default null)
returns achat.paiement_achat_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_paiement constant bigint := achat._payer(p_factures, p_id_moyen, p_id_caisse, p_id_compte, p_date, p_reference);
begin
  return achat.paiement_detail(v_id_paiement);
end $$;
comment on function achat.paiement_creer is
  'Paie des factures d''un fournisseur en une fois. Ce qu''il doit sur une facture créditée est un montant plus petit que zéro ; quand la somme l''est, il rend cet argent.';
-- The parts come from the request.
call core.peut_refuser('achat.paiement_creer', 'FACTURE_PAYEE_DEUX_FOIS', 'APPLICATION_D_ACHAT_NULLE');
