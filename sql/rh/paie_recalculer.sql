create function rh.paie_recalculer(p_id_paie bigint) returns rh.paie_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform rh._paie(p_id_paie);
  -- A salary given by hand stays until the employee's salary for this month changes.
  update rh.paie p
     set salaire_base = case when p.salaire_repris = rh._salaire_du(e, p.periode) then p.salaire_base
                             else rh._salaire_du(e, p.periode) end,
         salaire_repris = rh._salaire_du(e, p.periode)
    from rh.employe e
   where p.id_paie = p_id_paie and e.id_employe = p.id_employe;
  return rh._paie(p_id_paie);
end $$;
comment on function rh.paie_recalculer is
  'Recalcule un bulletin CALCULEE : ses totaux, et le salaire de l''employé pour ce mois, au prorata de ses jours, s''il a changé depuis.';
