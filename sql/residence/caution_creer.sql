create function residence.caution_creer(p_id_contrat bigint, p_montant core.montant_du_reglement)
returns residence.caution_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_caution bigint;
begin
  perform residence.contrat_detail(p_id_contrat);
  -- A deposit received by mistake was given back whole. Its row begins again, and its history remains.
  update residence.caution c
     set (montant, date_versement, date_restitution, montant_restitue, retenue, motif_retenue)
       = row(p_montant, null, null, null, null, null)
    from residence.contrat_location l
   where c.id_contrat = p_id_contrat and c.retenue = 0
     and l.id_contrat = c.id_contrat and (l.statut in ('EN_ATTENTE', 'ACTIF') or l.preavis)
  returning c.id_caution into v_id_caution;
  if not found then
    insert into residence.caution (id_contrat, montant) values (p_id_contrat, p_montant)
    returning id_caution into v_id_caution;
  end if;
  insert into residence.caution_evenement (id_caution, evenement, montant, id_utilisateur)
  values (v_id_caution, 'DECLARATION', p_montant, core.utilisateur());
  return residence.caution_detail(p_id_contrat);
end $$;
comment on function residence.caution_creer is
  'Déclare la caution d''un contrat ; elle reste à verser. Rendue en entier, par exemple parce que son montant était faux, elle se déclare de nouveau tant que le contrat court ; son histoire garde tout.';
-- The deposit was given back whole: nothing is kept of it in any month.
call core.ne_refuse_pas('residence.caution_creer', 'PERIODE_CLOTUREE');
