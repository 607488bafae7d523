create function residence.abonnement_resilier(p_id_abonnement bigint) returns residence.abonnement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform residence._abonnement_verrouiller(p_id_abonnement);
  perform residence._abonnements_facturer(array[p_id_abonnement]);
  update residence.abonnement a set statut = 'RESILIE' where a.id_abonnement = p_id_abonnement;
  return residence.abonnement_detail(p_id_abonnement);
end $$;
comment on function residence.abonnement_resilier is
  'Résilie un abonnement : il finit ce jour, s''il ne finissait pas avant ; la période commencée reste due.';
