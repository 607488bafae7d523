create function finances.paiement_creer(
  p_montant core.montant_du_reglement, p_id_moyen bigint, p_id_activite bigint default null,
  p_id_caisse bigint default null, p_date timestamptz default null, p_motif core.texte default null,
  p_reference core.libelle default null, p_id_facture bigint default null)
returns finances.paiement_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_paiement bigint;
begin
  if p_id_facture is not null then
    v_id_paiement := finances._facture_payer(
      p_id_facture, p_montant, p_id_moyen, p_id_caisse, p_date, p_motif, p_reference);
  else
    insert into finances.paiement as p (montant, id_moyen, id_activite, id_caisse, date, motif, reference)
    values (p_montant, p_id_moyen, p_id_activite, p_id_caisse, coalesce(p_date, now()), p_motif, p_reference)
    returning p.id_paiement into v_id_paiement;
  end if;
  return finances._paiement_ecrit(v_id_paiement, p_id_facture);
end $$;
comment on function finances.paiement_creer is
  'Encaisse un paiement. Avec id_facture il règle cette facture et prend son activité ; sans elle, l''activité est celle donnée, sinon celle de la caisse ou de l''utilisateur, sinon aucune : il compte alors sous SANS_ACTIVITE. La caisse d''un utilisateur lié à une caisse est toujours la sienne.';
-- The payment is no refund and no deposit.
call core.ne_refuse_pas('finances.paiement_creer', 'PAIEMENT_DEJA_RENDU', 'PAIEMENT_DE_CAUTION');
