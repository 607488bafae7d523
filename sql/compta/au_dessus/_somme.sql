-- The sums of every report. compta.cumul keeps the sums of closed months, compta.ecriture has the lines of the other
-- closed days, and the documents give the lines of open days.

call core.figer('ECRITURE_FIGEE', 'Une période clôturée et ses écritures ne changent ni ne s''effacent.',
  'before update or delete or truncate on compta.cumul');

create function compta._fin_du_mois(p_jour date) returns date
language sql immutable parallel safe
return (date_trunc('month', p_jour::timestamp) + interval '1 month')::date - 1;
comment on function compta._fin_du_mois is 'Dernier jour du mois d''un jour.';

-- The end of February stays the end of February.
create function compta._an_avant(p_jour date) returns date
language sql immutable parallel safe
return case when p_jour = compta._fin_du_mois(p_jour) then compta._fin_du_mois((p_jour - interval '1 year')::date)
            else (p_jour - interval '1 year')::date end;
comment on function compta._an_avant is 'Même jour un an avant ; le dernier jour d''un mois pour le dernier.';

create function compta._de_resultat(p_compte text) returns boolean
language sql immutable parallel safe
return left(p_compte, 1) in ('6', '7', '8');
comment on function compta._de_resultat is 'Vrai d''un compte de charges ou de produits.';

create function compta._cumuler(p_periode core.periode) returns void
language sql volatile as $$
  insert into compta.cumul (periode, journal, type, compte, id_activite, id_caisse, nombre, debit, credit)
  select p_periode, e.journal, e.type, e.compte, e.id_activite, e.id_caisse, count(*), coalesce(sum(e.debit), 0),
         coalesce(sum(e.credit), 0)
    from compta.ecriture e
   where e.date between to_date(p_periode, 'YYYY-MM') and compta._fin_du_mois(to_date(p_periode, 'YYYY-MM'))
   group by e.journal, e.type, e.compte, e.id_activite, e.id_caisse
  on conflict on constraint cumul_existant do nothing;
$$;
comment on function compta._cumuler is 'Garde les sommes d''un mois qui se clôture, puis celles du résultat de son exercice.';

create type compta._somme as (
  mois date, journal compta.journal, type text, compte text, id_activite bigint, nombre bigint, debit numeric,
  credit numeric);
comment on type compta._somme is 'Sommes des lignes d''un compte pendant un mois, ou la part de ce mois qui compte.';

create function compta._sommes(p_du date, p_au date, p_id_activite bigint default null, p_compte text default null)
returns setof compta._somme
language plpgsql stable as $$
declare
  v_clos constant date := least(compta._dernier_jour_clos(), p_au);
  -- The whole closed months: from one first day to the day before another.
  v_de constant date := case when p_du = date_trunc('month', p_du::timestamp)::date then p_du
                             else compta._fin_du_mois(p_du) + 1 end;
  v_a constant date := case when v_clos = compta._fin_du_mois(v_clos) then v_clos
                            else date_trunc('month', v_clos::timestamp)::date - 1 end;
begin
  perform compta._comptes_exiger(greatest(p_du, compta._dernier_jour_clos() + 1), p_au);
  return query
  select to_date(c.periode, 'YYYY-MM'), c.journal, c.type::text, c.compte::text, c.id_activite, sum(c.nombre)::bigint,
         sum(c.debit), sum(c.credit)
    from compta.cumul c
   where compta._fin_du_mois(to_date(c.periode, 'YYYY-MM')) between v_de and v_a
     and (p_compte is null or c.compte = p_compte)
     and (p_id_activite is null or c.id_activite = p_id_activite)
     and core._visible(c.id_caisse, (select core.caisse()))
     and core._visible(c.id_activite, (select core.activite()))
   group by c.periode, c.journal, c.type, c.compte, c.id_activite;
  -- Two ranges of days at most, or one where no whole month is between them.
  for i in 1 .. 2 loop
    return query
    select date_trunc('month', e.date::timestamp)::date, e.journal, e.type::text, e.compte::text, e.id_activite,
           count(*), coalesce(sum(e.debit), 0), coalesce(sum(e.credit), 0)
      from compta.ecriture e
     where e.date between case when i = 1 then p_du else greatest(v_a + 1, v_de) end
                      and case when i = 1 then least(v_de - 1, v_clos) else v_clos end
       and (p_compte is null or e.compte = p_compte)
       and (p_id_activite is null or e.id_activite = p_id_activite)
       and core._visible(e.id_caisse, (select core.caisse()))
       and core._visible(e.id_activite, (select core.activite()))
     group by 1, e.journal, e.type, e.compte, e.id_activite;
  end loop;
  if p_au > compta._dernier_jour_clos() then
    return query
    select date_trunc('month', o.date::timestamp)::date, o.journal, o.type::text, o.compte::text, o.id_activite,
           count(*), coalesce(sum(o.debit), 0), coalesce(sum(o.credit), 0)
      from compta._ouverte_vue o
     where o.date between p_du and p_au and (p_compte is null or o.compte = p_compte)
       and (p_id_activite is null or o.id_activite = p_id_activite)
     group by 1, o.journal, o.type, o.compte, o.id_activite;
  end if;
end $$;
comment on function compta._sommes is
  'Sommes des lignes d''un jour à un autre, par mois, journal, type, compte et activité, de ce que l''utilisateur peut voir.';

create type compta._solde as (compte text, ouverture numeric, debit numeric, credit numeric);
comment on type compta._solde is
  'Un compte : son solde à l''ouverture, négatif s''il est créditeur, et les mouvements de la période.';

-- Accounts of result start each year at zero. The result of an earlier year is on 130 until an entry carries it forward.
-- The lines of one activity or till alone are not balanced: the balance that they owe to the rest of the house is on 185.
create function compta._soldes(p_du date, p_au date, p_id_activite bigint default null) returns setof compta._solde
language sql stable
begin atomic
  with s as materialized (
    select x.compte, x.type,
           case when x.avant and compta._de_resultat(x.compte) and x.mois < date_trunc('year', p_du::timestamp)::date
                then 'EXERCICE_CLOS'
                when x.avant or x.type = 'A_NOUVEAU' then 'OUVERTURE' else 'PERIODE' end as temps, x.debit, x.credit
      from (select a.*, true as avant from compta._sommes('-infinity', p_du - 1, p_id_activite) a
            union all
            select p.*, false from compta._sommes(p_du, p_au, p_id_activite) p) x
  ), c as (
    select case when s.temps = 'EXERCICE_CLOS' then '130' else s.compte end as compte,
           case when s.temps <> 'PERIODE' then s.debit - s.credit else 0 end as ouverture,
           case when s.temps = 'PERIODE' then s.debit else 0 end as debit,
           case when s.temps = 'PERIODE' then s.credit else 0 end as credit
      from s
  ), l as (
    select sum(c.ouverture) as ouverture, sum(c.debit) - sum(c.credit) as mouvement from c
  ), t as (
    select c.* from c
    union all
    select '185', -l.ouverture, greatest(-l.mouvement, 0), greatest(l.mouvement, 0)
      from l where l.ouverture <> 0 or l.mouvement <> 0
  )
  select t.compte, sum(t.ouverture), sum(t.debit), sum(t.credit) from t group by t.compte
  having (sum(t.ouverture), sum(t.debit), sum(t.credit)) <> (0, 0, 0);
end;
comment on function compta._soldes is 'Comptes qui ont un solde ou un mouvement : soldes à l''ouverture, et mouvements d''un jour à un autre.';
