create function rh.pointage_arriver(
  p_id_employe bigint, p_date date, p_statut rh.statut_arrivee default 'PRESENT', p_note core.texte default null)
returns rh.pointage_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_pointage bigint;
begin
  perform rh._employe_exiger(p_id_employe);
  if (select e.statut <> 'ACTIF' from rh.employe e where e.id_employe = p_id_employe for share) then
    perform core.refuser(409, 'EMPLOYE_NON_ACTIF', 'Cet employé n''est pas actif : il ne pointe pas.');
  end if;
  insert into rh.pointage (id_employe, date, statut, note)
  values (p_id_employe, p_date, p_statut::text::rh.statut_pointage, p_note)
  returning id_pointage into v_id_pointage;
  return rh.pointage_detail(v_id_pointage);
end $$;
comment on function rh.pointage_arriver is
  'Pointe l''arrivée d''un employé ; l''heure est celle de la base. Un pointage par employé et par jour, un seul ouvert à la fois.';
