-- The salary is 0 for an unknown employee, and the foreign key then refuses the row.
call core.creation('rh.paie_creer', 'rh.paie', 'rh._paie', 'rh._employe_exiger(p_id_employe)', 'id_employe', 'periode',
  'salaire_base core.montant default null := coalesce(
    $, (select rh._salaire_du(e, p_periode) from rh.employe e where e.id_employe = p_id_employe), 0)');
comment on function rh.paie_creer is
  'Crée le bulletin d''un employé pour un mois, sur son seul salaire de base : celui qui est donné, ou le sien au prorata de ses jours ; après une annulation il peut être refait.';
-- A new payslip has no deduction.
call core.ne_refuse_pas('rh.paie_creer', 'NET_NEGATIF');
