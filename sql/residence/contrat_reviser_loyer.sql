create function residence.contrat_reviser_loyer(
  p_id_contrat bigint, p_nouveau_montant core.montant_du_reglement, p_date_effet date default null,
  p_motif core.texte default null)
returns residence.contrat_location_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.contrat_location := residence._contrat_verrouiller(p_id_contrat);
  v_date_effet date := coalesce(p_date_effet, core.aujourdhui());
begin
  if v.statut not in ('EN_ATTENTE', 'ACTIF') then
    perform core.refuser(409, 'CONTRAT_CLOS',
                         format('Le contrat %s est clos : son loyer ne se révise plus.', v.numero_contrat));
  elsif v_date_effet < v.date_debut or v_date_effet > v.date_fin_prevue then
    perform core.refuser(400, 'DATE_EFFET_HORS_CONTRAT', 'La révision doit prendre effet pendant le contrat.',
                         jsonb_build_object('date_debut', v.date_debut, 'date_fin_prevue', v.date_fin_prevue));
  end if;
  insert into residence.revision_loyer (id_contrat, ancien_montant, nouveau_montant, date_effet, motif, id_utilisateur)
  values (p_id_contrat, residence._loyer(p_id_contrat, v.loyer_initial, v_date_effet), p_nouveau_montant, v_date_effet,
          p_motif, core.utilisateur());
  perform residence._echeances_verrouiller(array(
    select e.id_echeance from residence.echeance e
     where e.id_contrat = p_id_contrat and e.date_echeance >= v_date_effet));
  -- An instalment with an invoice keeps its amount. An instalment after a later revision gets the rent of that one.
  update residence.echeance e
     set montant = residence._loyer_periode(v.type_location,
                                            residence._loyer(p_id_contrat, v.loyer_initial, e.date_echeance),
                                            v.date_debut, e.date_echeance, e.date_fin)
   where e.id_contrat = p_id_contrat and e.date_echeance >= v_date_effet and not e.annulee
     and not exists (select from facturation.facture f
                      where f.source_type = 'LOCATION' and f.source_id = e.id_echeance and not f.annulee);
  return residence.contrat_detail(p_id_contrat);
end $$;
comment on function residence.contrat_reviser_loyer is
  'Révise le loyer à partir d''une date, aujourd''hui par défaut : seules changent les échéances de cette date ou d''après qui n''ont pas de facture. Le loyer précédent reste dans l''historique.';
-- The function leaves an instalment with an invoice unchanged, and a paid instalment has one.
call core.ne_refuse_pas('residence.contrat_reviser_loyer', 'ECHEANCE_FIGEE');
