create function residence.etat_des_lieux_detail(p_id_photo bigint) returns residence.etat_des_lieux_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select e from residence.etat_des_lieux_vue e where e.id_photo = p_id_photo));
end $$;
comment on function residence.etat_des_lieux_detail is 'Une photo d''état des lieux.';
