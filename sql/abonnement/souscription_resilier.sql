create function abonnement.souscription_resilier(p_id_souscription bigint, p_motif core.libelle)
returns abonnement.souscription_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v abonnement.souscription_detail_vue := abonnement._souscription_verrouiller(p_id_souscription);
begin
  -- An expired subscription with nothing left is terminated before its price is paid back whole.
  if v.statut <> 'ACTIVE' then
    perform core.refuser(409, 'SOUSCRIPTION_NON_ACTIVE',
      format('Cet abonnement est à l''état %s : il ne se résilie pas.', core.etat_ecrire(v.etat::text)));
  elsif v.reliquat_a_decider then
    perform core.refuser(409, 'SOUSCRIPTION_NON_ACTIVE',
      'Cet abonnement a expiré : décidez d''abord de ce qui lui reste.');
  end if;
  update abonnement.souscription s set (statut, motif_statut) = row('RESILIEE', p_motif)
   where s.id_souscription = p_id_souscription;
  return abonnement.souscription_detail(p_id_souscription);
end $$;
comment on function abonnement.souscription_resilier is
  'Résilie un abonnement en cours, ou expiré sans reste : il ne sert plus. Sa facture reste due, ses unités ne se reportent pas.';
-- The function has compared the state.
call core.ne_refuse_pas('abonnement.souscription_resilier', 'TRANSITION_INTERDITE');
