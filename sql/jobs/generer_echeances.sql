create type jobs.echeances_generees as (jusqu_au date, contrats integer, echeances integer, factures integer);
comment on type jobs.echeances_generees is 'Échéances qu''une tâche a créées, pour combien de contrats, et factures d''abonnements.';

create function jobs.generer_echeances(p_jusqu_au date default null) returns jobs.echeances_generees
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_contrats bigint[];
  v_abonnements bigint[];
  v jobs.echeances_generees;
begin
  perform abonnement._acces_exiger();
  v.jusqu_au := coalesce(p_jusqu_au, residence._horizon(core.aujourdhui()));
  if v.jusqu_au > core.aujourdhui() + 1827 then
    perform core.refuser(400, 'HORIZON_EXCESSIF', 'Les échéances se créent cinq ans à l''avance au plus.');
  end if;
  -- Locks the leases by id, as every operation on leases does: a rent revised meanwhile applies to the new instalments.
  v_contrats := array(
    select c.id_contrat from residence.contrat_location c
     where c.statut = 'ACTIF' and c.date_fin_prevue is null
       and not exists (select from residence.echeance e where e.id_contrat = c.id_contrat and e.date_fin >= v.jusqu_au)
     order by c.id_contrat for no key update);
  v.contrats := cardinality(v_contrats);
  v.echeances := residence._echeances_generer(v_contrats, v.jusqu_au);
  -- An instalment gets its invoice with its first payment. A subscription gets its invoice when the period begins.
  v_abonnements := array(
    select a.id_abonnement from residence.abonnement a
     where a.statut in ('ACTIF', 'SUSPENDU') and a.type <> 'PERIODIQUE'
       and (select max(p.debut) from residence._abonnement_periodes(a, core.aujourdhui()) p)
           > (select max(x.date_debut) from residence.abonnement_periode x where x.id_abonnement = a.id_abonnement)
     order by a.id_abonnement for no key update);
  v.factures := residence._abonnements_facturer(v_abonnements);
  return v;
end $$;
comment on function jobs.generer_echeances is
  'Crée les échéances des contrats sans terme et facture les périodes d''abonnements commencées. Les échéances vont jusqu''à une date, un an à l''avance par défaut ; ce qui existe reste.';
