create function jobs.restauration_reussir(p_id_restauration bigint, p_ancienne_base text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update jobs.restauration r set statut = 'SUCCES', date_fin = clock_timestamp(), ancienne_base = p_ancienne_base
   where r.id_restauration = p_id_restauration;
end $$;
comment on function jobs.restauration_reussir is 'Clôt une restauration réussie.';
