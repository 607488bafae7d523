-- Closed months: the triggers of the tables of later slices (sql/compta/_cloture.sql), and the day of a payslip.

create function compta._t20_caution_close() returns trigger
language plpgsql volatile as $$
begin
  perform compta._ouverte_exiger(new.date_restitution);
  if old.retenue > 0 then
    perform compta._ouverte_exiger(old.date_restitution);
  end if;
  return new;
end $$;
comment on function compta._t20_caution_close is 'Une caution ne change plus dans un mois clôturé.';

create trigger t20_periode_close before update of date_restitution, retenue on residence.caution
  for each row when ((new.date_restitution, new.retenue) is distinct from (old.date_restitution, old.retenue))
  execute function compta._t20_caution_close();

-- A month is often closed before its last payslips are valid. They then count where they are still allowed to.
create function compta._t10_paie_dater() returns trigger
language plpgsql volatile as $$
declare
  v_jour date := least((to_date(new.periode, 'YYYY-MM') + interval '1 month')::date - 1, core.aujourdhui());
begin
  new.jour := case when compta._jour_clos(v_jour) then core.aujourdhui() else v_jour end;
  return new;
end $$;
comment on function compta._t10_paie_dater is
  'Jour d''un bulletin qui se valide : le dernier de son mois ; aujourd''hui s''il n''est pas encore venu, ou si le mois est clôturé.';

create trigger t10_paie_dater before insert or update of statut on rh.paie
  for each row when (new.statut in ('VALIDEE', 'PAYEE') and new.jour is null) execute function compta._t10_paie_dater();

create trigger t20_periode_close before update of statut, jour on rh.paie
  for each row when (old.jour is not null and (new.statut = 'ANNULEE' or new.jour is distinct from old.jour))
  execute function compta._t20_periode_close();
