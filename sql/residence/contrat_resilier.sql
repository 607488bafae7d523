create type residence.resiliation as (
  resilie boolean, date_resiliation date, montant_a_rembourser core.montant, nb_echeances_a_rembourser integer);
comment on type residence.resiliation is 'Ce qu''une résiliation laisse à rembourser ; rien n''est remboursé par elle.';
comment on column residence.resiliation.montant_a_rembourser is 'Payé pour des échéances postérieures à la résiliation.';

create function residence.contrat_resilier(
  p_id_contrat bigint, p_date_resiliation date default null, p_motif core.texte default null)
returns residence.resiliation
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.contrat_location := residence._contrat_verrouiller(p_id_contrat);
  v_resultat residence.resiliation;
  v_premier_jour date; -- of what is no longer owed
begin
  if v.statut <> 'ACTIF' then
    perform core.refuser(409, 'TRANSITION_INTERDITE', format('Le contrat %s n''est pas actif.', v.numero_contrat),
                         jsonb_build_object('de', v.statut, 'vers', 'RESILIE'));
  end if;
  update residence.contrat_location c
     set (statut, date_resiliation, motif_resiliation) =
         row('RESILIE'::residence.statut_contrat, coalesce(p_date_resiliation, greatest(core.aujourdhui(), v.date_debut)), p_motif)
   where c.id_contrat = p_id_contrat
  returning c.date_resiliation into v_resultat.date_resiliation;
  -- The day of the termination is owed, except that of a lease that never began.
  v_premier_jour := v_resultat.date_resiliation
    + case when v_resultat.date_resiliation = v.date_debut and core.aujourdhui() < v.date_debut then 0 else 1 end;
  perform residence._logement_nettoyer(array[v.id_logement]);
  -- Of a lease without an end, only a year is made ahead: the rent until the termination is owed all the same.
  perform residence._echeances_generer(array[p_id_contrat], v_resultat.date_resiliation);
  perform residence._echeances_verrouiller(array(
    select e.id_echeance from residence.echeance e
     where e.id_contrat = p_id_contrat and e.date_echeance >= v_premier_jour));
  -- What is partly paid shrinks to what was paid; what is not paid at all is no longer there.
  update residence.echeance e
     set (montant, annulee) = row(case when e.montant_paye > 0 then e.montant_paye else e.montant end, e.montant_paye = 0)
   where e.id_contrat = p_id_contrat and e.date_echeance >= v_premier_jour and e.montant_paye < e.montant;
  -- The invoices of the former follow, or they would ask for the rest for ever.
  update facturation.facture f set remise = f.remise + f.reste
    from residence.echeance e
   where f.source_type = 'LOCATION' and f.source_id = e.id_echeance and not f.annulee and f.reste > 0
     and e.id_contrat = p_id_contrat and e.date_echeance >= v_premier_jour and e.montant = e.montant_paye;
  select coalesce(sum(e.montant_paye), 0), count(*) into v_resultat.montant_a_rembourser, v_resultat.nb_echeances_a_rembourser
    from residence.echeance e
   where e.id_contrat = p_id_contrat and e.date_echeance >= v_premier_jour and e.montant_paye > 0;
  v_resultat.resilie := true;
  return v_resultat;
end $$;
comment on function residence.contrat_resilier(bigint, date, core.texte) is
  'Résilie un contrat actif, aujourd''hui par défaut, ou le jour de son début s''il n''a pas commencé : ses échéances postérieures ne sont plus dues, aucune ne l''est si le contrat est résilié avant de commencer ; celles d''un contrat sans terme sont créées jusqu''à la résiliation ; la facture d''une échéance payée en partie est ramenée à ce qui en a été payé ; ce qui en était payé est annoncé mais pas remboursé, la caution reste, le logement passe en nettoyage. Refuse : NOT_FOUND, TRANSITION_INTERDITE, RESILIATION_APRES_DEBUT, RESILIATION_PLAUSIBLE.';
