-- The days of an instalment and their rent. A period is a calendar month or year, in proportion to the days at both
-- ends. A lease of whole months or years from its first day costs exactly as many rents.

create function residence._pas(p_type residence.type_location) returns interval
language sql immutable parallel safe
return case p_type when 'MENSUEL' then interval '1 month' else interval '1 year' end;
comment on function residence._pas is 'Durée d''une échéance entière.';

create function residence._debut_unite(p_type residence.type_location, p_jour date) returns date
language sql immutable parallel safe
return date_trunc(case p_type when 'MENSUEL' then 'month' else 'year' end, p_jour::timestamp)::date;
comment on function residence._debut_unite is 'Premier jour du mois ou de l''année d''un jour.';

create function residence._fin_unite(p_type residence.type_location, p_jour date) returns date
language sql immutable parallel safe
return (residence._debut_unite(p_type, p_jour) + residence._pas(p_type))::date - 1;
comment on function residence._fin_unite is 'Dernier jour du mois ou de l''année d''un jour.';

-- Counted from the first day and not from the previous anniversary: 31 January, 28 February, 31 March.
create function residence._anniversaire(p_type residence.type_location, p_debut date, p_jour date) returns date
language sql immutable parallel safe
return (p_debut + residence._pas(p_type) * case p_type
          when 'MENSUEL' then (extract(year from p_jour) - extract(year from p_debut)) * 12
                              + extract(month from p_jour) - extract(month from p_debut)
          else extract(year from p_jour) - extract(year from p_debut) end::double precision)::date;
comment on function residence._anniversaire is
  'Jour du mois, ou de l''année, d''un jour où un contrat commencé à cette date a duré des mois, ou des années, entiers.';

create function residence._periodes(p_type residence.type_location, p_depuis date, p_fin date, p_jusqu_au date)
returns table (debut date, fin date)
language sql immutable parallel safe
begin atomic
  select greatest(g.debut::date, p_depuis), least(residence._fin_unite(p_type, g.debut::date), p_fin)
    from generate_series(residence._debut_unite(p_type, p_depuis)::timestamp, coalesce(p_fin, p_jusqu_au)::timestamp,
                         residence._pas(p_type)) as g (debut)
   where p_depuis <= coalesce(p_fin, p_jusqu_au);
end;
comment on function residence._periodes is
  'Périodes à partir d''un jour, sans trou ni recouvrement : jusqu''à la fin du contrat ou, sans terme, jusqu''à celle qui commence au plus tard à cette date.';

create function residence._prorata(p_type residence.type_location, p_loyer core.montant, p_debut date, p_fin date)
returns core.montant
language sql stable parallel safe
return case when p_debut = residence._debut_unite(p_type, p_debut) and p_fin = residence._fin_unite(p_type, p_debut)
            then p_loyer
            else least(p_loyer, core.arrondir(
                   p_loyer * (p_fin - p_debut + 1)
                   / (residence._fin_unite(p_type, p_debut) - residence._debut_unite(p_type, p_debut) + 1))) end;
comment on function residence._prorata is
  'Loyer des jours couverts, au prorata des jours du mois ou de l''année, en unités de la devise et jamais plus que le loyer, que valent un mois ou une année entiers.';

-- The last period of a lease that began within a month completes the first period. Up to the day before the
-- anniversary, it costs at most the missing part of the first rent; on that day exactly this part; afterwards at least
-- this part. A later departure therefore never costs less.
create function residence._loyer_periode(
  p_type residence.type_location, p_loyer core.montant, p_debut_contrat date, p_debut date, p_fin date)
returns core.montant
language plpgsql stable parallel safe as $$
declare
  v_jours core.montant := residence._prorata(p_type, p_loyer, p_debut, p_fin);
  v_complement core.montant;
  v_veille date;
  v_debut_entier date := greatest(residence._debut_unite(p_type, p_debut), p_debut_contrat);
begin
  -- A lease taken over is paid up to a day within this period: the rest of its rent is owed.
  if p_debut > v_debut_entier then
    return greatest(0, residence._loyer_periode(p_type, p_loyer, p_debut_contrat, v_debut_entier, p_fin)
                       - residence._prorata(p_type, p_loyer, v_debut_entier, p_debut - 1));
  end if;
  if p_fin = residence._fin_unite(p_type, p_debut) or p_debut = p_debut_contrat
     or p_debut_contrat = residence._debut_unite(p_type, p_debut_contrat) then
    return v_jours;
  end if;
  v_complement := p_loyer
                  - residence._prorata(p_type, p_loyer, p_debut_contrat, residence._fin_unite(p_type, p_debut_contrat));
  v_veille := residence._anniversaire(p_type, p_debut_contrat, p_fin) - 1;
  return case when p_fin < v_veille then least(v_jours, v_complement)
              when p_fin = v_veille then v_complement
              else greatest(v_jours, v_complement) end;
end $$;
comment on function residence._loyer_periode is
  'Loyer d''une période d''un contrat : au prorata des jours à ses deux bouts, de sorte que des mois entiers depuis le premier jour coûtent autant de loyers.';

create function residence._horizon(p_jour date) returns date
language sql immutable parallel safe
return (p_jour + interval '1 year' - interval '1 day')::date;
comment on function residence._horizon is 'Jusqu''où les échéances d''un contrat sans terme sont créées à l''avance : un an.';
