create type residence.resiliation as (
  resilie boolean, date_resiliation date, montant_a_rembourser core.somme, nb_echeances_a_rembourser integer);
comment on type residence.resiliation is 'Ce qu''une résiliation laisse à rembourser ; rien n''est remboursé par elle.';
comment on column residence.resiliation.date_resiliation is 'Dernier jour dû.';
comment on column residence.resiliation.montant_a_rembourser is 'Payé au-delà du dernier jour dû ; POST …/rembourser le rend.';

create function residence.contrat_resilier(
  p_id_contrat bigint, p_date_resiliation date default null, p_motif core.texte default null)
returns residence.resiliation
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.contrat_location := residence._contrat_verrouiller(p_id_contrat);
  v_jour date := core.aujourdhui();
  v_dernier date := coalesce(p_date_resiliation, greatest(v_jour, v.date_debut));
  v_jamais_commence boolean := v_dernier = v.date_debut and v_jour < v.date_debut;
begin
  if v.statut <> 'ACTIF' and not (v.preavis and v_dernier < v.date_resiliation) then
    perform core.refuser(409, 'TRANSITION_INTERDITE', format('Le contrat %s n''est pas actif.', v.numero_contrat),
                         jsonb_build_object('de', v.statut, 'vers', 'RESILIE'));
  end if;
  perform residence._logements_verrouiller(array[v.id_logement]);
  update residence.contrat_location c
     set (statut, date_resiliation, motif_resiliation, preavis) =
         row('RESILIE'::residence.statut_contrat, v_dernier, coalesce(p_motif, c.motif_resiliation),
             v_dernier > v_jour and not v_jamais_commence)
   where c.id_contrat = p_id_contrat;
  -- After a notice, the room stays occupied until the last day: the nightly job frees it then.
  perform residence._logement_nettoyer(array[v.id_logement]);
  -- A lease without an end has instalments for one year ahead only. The rent until the termination is owed as well.
  perform residence._echeances_generer(array[p_id_contrat], v_dernier);
  -- The day of the termination is owed, except for a lease that never began.
  perform residence._echeances_arreter(p_id_contrat, v_dernier - v_jamais_commence::integer);
  return row(true, v_dernier, residence._a_rembourser(p_id_contrat),
             (select count(*) from residence._loyers_en_trop(p_id_contrat)))::residence.resiliation;
end $$;
comment on function residence.contrat_resilier is
  'Résilie un contrat actif, aujourd''hui par défaut, ou le jour de son début s''il n''a pas commencé ; en préavis, plus tôt. Le jour de la résiliation est dû ; l''échéance en cours l''est au prorata des jours, les suivantes non ; un avoir crédite leurs factures. Ce qui est payé au-delà devient le crédit du client, et la caution reste. Le logement passe en nettoyage ce jour-là.';
