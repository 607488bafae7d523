-- Locks the payslips of the month that may change, by id.

create type jobs.recalculer_paie_bilan as (periode core.periode, creees integer, actualisees integer, refusees integer);
comment on type jobs.recalculer_paie_bilan is 'Ce que le calcul de la paie d''un mois a fait.';
comment on column jobs.recalculer_paie_bilan.creees is 'Bulletins créés.';
comment on column jobs.recalculer_paie_bilan.actualisees is 'Bulletins CALCULEE qui ont repris un nouveau salaire de base.';
comment on column jobs.recalculer_paie_bilan.refusees is 'Bulletins CALCULEE laissés tels quels : avec le nouveau salaire leur net serait négatif.';

create function jobs.recalculer_paie(p_periode core.periode default null) returns jobs.recalculer_paie_bilan
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v jobs.recalculer_paie_bilan;
begin
  v.periode := coalesce(p_periode, to_char(core.aujourdhui() - interval '1 month', 'YYYY-MM'));
  if v.periode > to_char(core.aujourdhui(), 'YYYY-MM') then
    perform core.refuser(400, 'PERIODE_FUTURE', format('Le mois %s n''a pas commencé.', to_char(
      to_date(v.periode, 'YYYY-MM'), 'MM/YYYY')));
  end if;

  -- An employee with a payslip of the month, even a cancelled one, gets no other.
  insert into rh.paie (id_employe, periode, salaire_base)
  select e.id_employe, v.periode, rh._salaire_du(e, v.periode)
    from rh.employe e
   where (e.statut = 'ACTIF' or e.statut = 'INACTIF' and e.date_sortie is not null) and rh._jours_dus(e, v.periode) > 0
     and not exists (select from rh.paie p where p.id_employe = e.id_employe and p.periode = v.periode)
   order by e.id_employe
  on conflict do nothing;
  get diagnostics v.creees = row_count;

  perform from rh.paie p where p.periode = v.periode and p.statut = 'CALCULEE' order by p.id_paie for no key update;
  update rh.paie p set salaire_base = rh._salaire_du(e, v.periode), salaire_repris = rh._salaire_du(e, v.periode)
    from rh.employe e
   where e.id_employe = p.id_employe and (e.statut = 'ACTIF' or e.date_sortie is not null)
     and rh._salaire_du(e, v.periode) <> p.salaire_repris and p.periode = v.periode and p.statut = 'CALCULEE'
     and rh._salaire_du(e, v.periode) + p.total_elements >= p.total_retenues;
  get diagnostics v.actualisees = row_count;

  select count(*) into v.refusees
    from rh.paie p
    join rh.employe e on e.id_employe = p.id_employe
   where (e.statut = 'ACTIF' or e.date_sortie is not null) and rh._salaire_du(e, v.periode) <> p.salaire_repris
     and p.periode = v.periode and p.statut = 'CALCULEE';
  return v;
end $$;
comment on function jobs.recalculer_paie is
  'Crée les bulletins du mois, et fait reprendre à ceux qui sont CALCULEE un salaire de base qui a changé. Un bulletin va à chaque employé actif et à qui est sorti dans le mois, au prorata des jours pour qui entre ou sort ; les autres restent tels quels. Sans mois donné, c''est le mois précédent.';
-- A new payslip has no deduction. The update selects only payslips in CALCULEE whose net would not be negative.
call core.ne_refuse_pas('jobs.recalculer_paie', 'NET_NEGATIF', 'PAIE_FIGEE');
