create function jobs.signaler_retards() returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_activite constant bigint := facturation._activite('LOCATION_RESIDENTIEL');
  v_nombre integer;
begin
  insert into evenement.evenement (type, id_entite, id_activite, donnees)
  select 'echeance.en_retard', r.id_echeance, v_id_activite, r.donnees
    from evenement._echeances(array(
           select e.id_echeance
             from residence.echeance e
             join residence.contrat_location c on c.id_contrat = e.id_contrat
            where e.date_echeance < core.aujourdhui() and e.montant_paye < e.montant and not e.annulee
              and c.statut <> 'EN_ATTENTE'
              and not exists (select from evenement.evenement s
                               where s.type = 'echeance.en_retard' and s.id_entite = e.id_echeance))) r
  on conflict (id_entite) where type = 'echeance.en_retard' do nothing;
  get diagnostics v_nombre = row_count;
  return v_nombre;
end $$;
comment on function jobs.signaler_retards is
  'Écrit l''événement echeance.en_retard de chaque échéance impayée le lendemain du jour où elle est due, une fois par échéance ; rend leur nombre.';
