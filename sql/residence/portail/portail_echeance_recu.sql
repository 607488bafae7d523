create function residence._portail_echeance(p_id_echeance bigint) returns bigint
language plpgsql stable as $$
declare
  v_id_client bigint := client._portail_client();
begin
  return core._trouve((
    select e.id_echeance from residence._portail_echeances(v_id_client) e where e.id_echeance = p_id_echeance));
end $$;
comment on function residence._portail_echeance is
  'La même échéance, si elle est au résident connecté. Refuse NOT_FOUND, SANS_CLIENT, ADRESSE_A_CONFIRMER.';

create function residence.portail_echeance_recu(p_id_echeance bigint) returns residence.recu_echeance
language sql stable security definer set search_path = pg_catalog, pg_temp
return residence._recu_echeance(residence._portail_echeance(p_id_echeance));
comment on function residence.portail_echeance_recu is 'Reçu d''une échéance entièrement payée du résident connecté.';
