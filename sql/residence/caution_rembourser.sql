create function residence.caution_rembourser(
  p_id_contrat bigint, p_id_moyen bigint, p_retenue core.montant default null, p_motif_retenue core.texte default null,
  p_date date default null, p_id_caisse bigint default null)
returns residence.caution_payee
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.caution := residence._caution_verrouiller(p_id_contrat);
  v_date date := residence._jour_passe(p_date);
  v_id_paiement bigint;
begin
  perform residence._caution_a_rendre(v, p_retenue, true);
  -- A statement of its own, so that the answer sees the written rows.
  v_id_paiement := residence._caution_rembourser(
    v, p_id_moyen, coalesce(p_retenue, 0), p_motif_retenue, v_date, p_id_caisse);
  return residence._caution_payee(p_id_contrat, v_id_paiement);
end $$;
comment on function residence.caution_rembourser is
  'Rembourse une caution encaissée, moins la retenue, de la caisse de l''utilisateur s''il en a une, sinon de celle donnée ; tout retenir n''écrit aucun paiement. Déjà rendue, une retenue moindre rend ce qui en était gardé, tant que son mois est ouvert.';
