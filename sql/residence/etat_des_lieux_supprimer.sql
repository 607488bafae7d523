create function residence.etat_des_lieux_supprimer(p_id_photo bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from residence.etat_des_lieux e where e.id_photo = p_id_photo and (select residence._visible());
  if not found then
    raise no_data_found;
  end if;
end $$;
comment on function residence.etat_des_lieux_supprimer is
  'Retire une photo de l''état des lieux ; le fichier déposé reste.';
