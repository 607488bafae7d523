create type jobs.abonnements_expires as (abonnements integer);
comment on type jobs.abonnements_expires is 'Abonnements arrivés à leur fin.';

create function jobs.expirer_abonnements() returns jobs.abonnements_expires
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_abonnements bigint[];
begin
  perform abonnement._acces_exiger();
  v_abonnements := array(
    select a.id_abonnement from residence.abonnement a
     where a.statut in ('ACTIF', 'SUSPENDU') and a.date_fin < core.aujourdhui()
     order by a.id_abonnement for no key update);
  perform residence._abonnements_facturer(v_abonnements);
  update residence.abonnement a set statut = 'EXPIRE' where a.id_abonnement = any (v_abonnements);
  return row(cardinality(v_abonnements))::jobs.abonnements_expires;
end $$;
comment on function jobs.expirer_abonnements is
  'Expire les abonnements actifs ou suspendus dont le dernier jour est passé ; leurs factures restent dues.';
-- The update selects only rows in ACTIF or SUSPENDU.
call core.ne_refuse_pas('jobs.expirer_abonnements', 'ABONNEMENT_CLOS', 'TRANSITION_INTERDITE');
