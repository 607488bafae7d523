-- Locks, in this order: the payslip, the till (shared).

create function rh.paie_payer(p_id_paie bigint, p_id_moyen bigint, p_id_caisse bigint default null) returns rh.paie_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v rh.paie := rh._paie_verrouiller(p_id_paie, 'PAYEE');
  v_id_paiement bigint;
begin
  -- Advances may equal the whole salary. Then no payment leaves the till.
  if v.montant_a_payer > 0 then
    insert into finances.paiement as p (type, montant, id_moyen, id_caisse, motif, reference)
    select 'DECAISSEMENT', v.montant_a_payer, p_id_moyen, p_id_caisse,
           format('Salaire %s, %s %s', v.periode, e.nom, e.prenom), format('%s-%s', e.code, v.periode)
      from rh.employe e where e.id_employe = v.id_employe
    returning p.id_paiement into v_id_paiement;
  end if;
  update rh.paie p set (statut, id_paiement) = row('PAYEE'::rh.statut_paie, v_id_paiement) where p.id_paie = p_id_paie;
  return rh._paie(p_id_paie);
end $$;
comment on function rh.paie_payer is
  'Paie le net d''un bulletin VALIDEE, une seule fois : un décaissement, de la caisse de l''utilisateur s''il en a une, sinon de celle donnée ; aucun si le net est nul.';
-- rh._paie_verrouiller has refused a paid payslip. The payment takes the activity of its till. It is no refund, and
-- names no invoice and no client.
call core.ne_refuse_pas('rh.paie_payer', 'PAIE_FIGEE', 'CAISSE_D_UNE_AUTRE_ACTIVITE', 'PAIEMENT_DEJA_RENDU',
  'PAIEMENT_DE_CAUTION', 'SURPAIEMENT', 'FACTURE_ANNULEE', 'CREDIT_INSUFFISANT');
