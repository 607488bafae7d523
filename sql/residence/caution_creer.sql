create function residence.caution_creer(p_id_contrat bigint, p_montant core.montant_du_reglement)
returns residence.caution_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform residence._contrat(p_id_contrat);
  with creee as (
    insert into residence.caution (id_contrat, montant) values (p_id_contrat, p_montant) returning id_caution)
  insert into residence.caution_evenement (id_caution, evenement, montant, id_utilisateur)
  select c.id_caution, 'DECLARATION', p_montant, core.utilisateur() from creee c;
  return residence._caution(p_id_contrat);
end $$;
comment on function residence.caution_creer(bigint, core.montant_du_reglement) is
  'Déclare la caution d''un contrat ; elle reste à verser.';
call core.peut_refuser('residence.caution_creer', 'NOT_FOUND', 'CAUTION_DEJA_DECLAREE');
