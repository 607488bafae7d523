create function rh.paie_creer(p_id_employe bigint, p_periode core.periode, p_salaire_base core.montant default null)
returns rh.paie_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_paie bigint;
begin
  perform rh._employe_exiger(p_id_employe);
  -- The salary is 0 for an unknown employee, and the foreign key then refuses the row.
  insert into rh.paie (id_employe, periode, salaire_base)
  values (p_id_employe, p_periode,
          coalesce(p_salaire_base,
                   (select rh._salaire_du(e, p_periode) from rh.employe e where e.id_employe = p_id_employe), 0))
  returning id_paie into v_id_paie;
  return rh._paie(v_id_paie);
end $$;
comment on function rh.paie_creer is
  'Crée le bulletin d''un employé pour un mois, sur son seul salaire de base : celui qui est donné, ou le sien au prorata de ses jours ; après une annulation il peut être refait.';
-- A new payslip has no deduction.
call core.ne_refuse_pas('rh.paie_creer', 'NET_NEGATIF');
