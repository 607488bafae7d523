create function rh.paie_recalculer(p_id_paie bigint) returns rh.paie_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform rh._paie(p_id_paie);
  -- A base that was given by hand stays until the employee's own salary changes.
  update rh.paie p
     set salaire_base = case when p.salaire_repris = e.salaire_base then p.salaire_base else e.salaire_base end,
         salaire_repris = e.salaire_base
    from rh.employe e
   where p.id_paie = p_id_paie and e.id_employe = p.id_employe;
  return rh._paie(p_id_paie);
end $$;
comment on function rh.paie_recalculer(bigint) is
  'Recalcule un bulletin CALCULEE : ses totaux, et le salaire de base de l''employé s''il a changé depuis. Refuse : NOT_FOUND, PAIE_FIGEE, NET_NEGATIF.';
