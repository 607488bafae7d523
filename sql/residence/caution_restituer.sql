create function residence.caution_restituer(
  p_id_contrat bigint, p_retenue core.montant default null, p_motif_retenue core.texte default null,
  p_id_caisse bigint default null)
returns residence.caution_payee
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.caution := residence._caution_verrouiller(p_id_contrat);
  v_retenue core.montant := coalesce(p_retenue, 0);
  v_id_paiement bigint;
begin
  perform residence._caution_a_rendre(v, p_retenue, false);
  if residence._caution_encaissee(v.id_caution) then
    if not auth._permise('FINANCES.CREER') then
      perform core.refuser(403, 'RESTITUTION_EN_ARGENT',
        'Cette caution a été encaissée : la rendre est un paiement, et demande la permission FINANCES.CREER.');
    end if;
    v_id_paiement := residence._caution_rembourser(v, (
      select p.id_moyen from residence.caution_evenement h join finances.paiement p on p.id_paiement = h.id_paiement
       where h.id_caution = v.id_caution and h.evenement = 'ENCAISSEMENT' order by h.id_evenement desc limit 1),
      v_retenue, p_motif_retenue, core.aujourdhui(), p_id_caisse);
  else
    perform residence._caution_rendre(v, 'RESTITUTION', v_retenue, p_motif_retenue, core.aujourdhui(), null);
  end if;
  return residence._caution_payee(p_id_contrat, v_id_paiement);
end $$;
comment on function residence.caution_restituer is
  'Restitue une caution, moins la retenue. Versée sur déclaration, elle est déclarée rendue sans paiement ; encaissée, elle est remboursée aujourd''hui par le moyen qui l''a encaissée, de la caisse de l''utilisateur, sinon de celle donnée (FINANCES.CREER aussi). Déjà rendue, une retenue moindre rend ce qui en était gardé, tant que son mois est ouvert.';
-- A deposit that was never paid is given back by declaration.
call core.ne_refuse_pas('residence.caution_restituer', 'CAUTION_NON_ENCAISSEE');
