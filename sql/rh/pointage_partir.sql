create function rh.pointage_partir(p_id_pointage bigint) returns rh.pointage_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v rh.pointage := rh._pointage_verrouiller(p_id_pointage);
begin
  perform rh._presence_exiger(v.statut);
  if v.heure_depart is not null then
    perform core.refuser(409, 'DEPART_DEJA_POINTE', 'Le départ est déjà pointé.');
  end if;
  update rh.pointage p set horloge_depart = now() where p.id_pointage = p_id_pointage;
  return rh.pointage_detail(p_id_pointage);
end $$;
comment on function rh.pointage_partir is
  'Pointe le départ, à l''heure de la base ; passé minuit, il ferme le pointage de la veille.';
-- The function writes the present time.
call core.peut_refuser('rh.pointage_partir', 'DEPART_TROP_TARDIF');
-- The function does not write the date.
call core.ne_refuse_pas('rh.pointage_partir', 'DATE_FUTURE');
