create function finances.paiement_creer(
  p_montant core.montant_du_reglement, p_id_moyen bigint, p_id_activite bigint default null,
  p_id_caisse bigint default null, p_date timestamptz default null, p_motif core.texte default null,
  p_reference core.libelle default null, p_id_facture bigint default null)
returns finances.paiement_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_paiement bigint;
  v finances.paiement_detail_vue;
begin
  if p_id_facture is not null then
    v_id_paiement := finances._facture_payer(
      p_id_facture, p_montant, p_id_moyen, p_id_caisse, p_date, p_motif, p_reference);
  else
    insert into finances.paiement as p (montant, id_moyen, id_activite, id_caisse, date, motif, reference)
    values (p_montant, p_id_moyen, p_id_activite, p_id_caisse, coalesce(p_date, core.moment(), now()), p_motif,
            p_reference)
    returning p.id_paiement into v_id_paiement;
  end if;
  -- The payment was just written, so its key suffices, and nothing cancels it yet.
  select p.id_paiement, p.date, p.montant, p.id_moyen, p.id_activite, p.type, p.motif, p.id_utilisateur,
         coalesce(p.reference, f.numero), p.id_caisse, f.id_facture, p.id_paiement_origine, false,
         case when f.id_facture is not null then
           row(f.id_facture, f.montant_total, f.montant_paye, f.reste, f.statut)::facturation.facture_solde end
    into strict v
    from finances.paiement p
    left join facturation.facture f on f.id_facture = p_id_facture
   where p.id_paiement = v_id_paiement;
  return v;
end $$;
comment on function finances.paiement_creer is
  'Encaisse un paiement. Avec id_facture il règle cette facture et prend son activité ; sans elle, l''activité est celle donnée, sinon celle de la caisse ou de l''utilisateur, sinon aucune : il compte alors sous SANS_ACTIVITE.';
-- The payment is no refund and no deposit.
call core.ne_refuse_pas('finances.paiement_creer', 'PAIEMENT_DEJA_RENDU', 'PAIEMENT_DE_CAUTION');
