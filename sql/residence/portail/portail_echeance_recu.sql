create function residence.portail_echeance_recu(p_id_echeance bigint) returns residence.recu_echeance
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := residence._portail_client();
  v_id_echeance bigint;
begin
  select e.id_echeance into strict v_id_echeance
    from residence._portail_echeances(v_id_client) e where e.id_echeance = p_id_echeance;
  return residence._recu_echeance(v_id_echeance);
end $$;
comment on function residence.portail_echeance_recu(bigint) is
  'Reçu d''une échéance entièrement payée du résident connecté. Refuse : NOT_FOUND, ECHEANCE_NON_PAYEE, SANS_CLIENT.';
