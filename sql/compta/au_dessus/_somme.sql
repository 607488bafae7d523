-- The sums of every report. compta.cumul keeps the sums of closed months, compta.ecriture has the lines of the other
-- closed days, and the documents give the lines of open days.

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
  depuis date, mois date, journal compta.journal, type text, compte text, nombre bigint, debit numeric, credit numeric);
comment on type compta._somme is
  'Sommes des lignes d''un compte pendant un mois, ou la part de ce mois qui est dans une tranche de jours, dont depuis est le premier.';

-- The entry of the result of a year is in December, which is not closed by itself when it has no other entry.
-- A report asks once for all its ranges of days, so that each open document is derived once.
create function compta._sommes(p_coupes date[], p_id_activite bigint default null, p_compte text default null)
returns setof compta._somme
language plpgsql stable as $$
declare
  v_coupes constant date[] := array(select distinct c from unnest(p_coupes) c order by c);
  v_n constant integer := cardinality(v_coupes) - 1;
  v_clos constant date := compta._dernier_jour_clos();
  v_mois date;
begin
  perform compta._comptes_exiger(greatest(v_coupes[1], v_clos + 1), v_coupes[v_n + 1] - 1);
  return query
  select v_coupes[width_bucket(m.mois, v_coupes)], m.mois, c.journal, c.type::text, c.compte::text,
         sum(c.nombre)::bigint, sum(c.debit), sum(c.credit)
    from (select x.periode, to_date(x.periode, 'YYYY-MM') as mois
            from (select p.periode::text from compta.periode p
                  union
                  select format('%s-12', e.annee) from compta.exercice_clos e) x) m
    join compta.cumul c on c.periode = m.periode
   where width_bucket(m.mois, v_coupes) = width_bucket(compta._fin_du_mois(m.mois), v_coupes)
     and width_bucket(m.mois, v_coupes) between 1 and v_n
     and (p_compte is null or c.compte = p_compte) and (p_id_activite is null or c.id_activite = p_id_activite)
     and core._visible(c.id_caisse, (select core.caisse()))
     and core._visible(c.id_activite, (select core.activite()))
   group by m.mois, c.journal, c.type, c.compte;
  -- The closed months that a range divides.
  for v_mois in
    select distinct date_trunc('month', c::timestamp)::date from unnest(v_coupes) c
     where isfinite(c) and c > date_trunc('month', c::timestamp) and c <= v_clos
  loop
    return query
    select v_coupes[width_bucket(e.date, v_coupes)], v_mois, e.journal, e.type::text, e.compte::text, count(*),
           coalesce(sum(e.debit), 0), coalesce(sum(e.credit), 0)
      from compta.ecriture e
     where e.date between greatest(v_mois, v_coupes[1]) and least(compta._fin_du_mois(v_mois), v_coupes[v_n + 1] - 1)
       and (p_compte is null or e.compte = p_compte) and (p_id_activite is null or e.id_activite = p_id_activite)
       and core._visible(e.id_caisse, (select core.caisse()))
       and core._visible(e.id_activite, (select core.activite()))
     group by 1, e.journal, e.type, e.compte;
  end loop;
  if v_coupes[v_n + 1] - 1 > v_clos then
    return query
    select v_coupes[width_bucket(o.date, v_coupes)], date_trunc('month', o.date::timestamp)::date, o.journal,
           o.type::text, o.compte::text, count(*), coalesce(sum(o.debit), 0), coalesce(sum(o.credit), 0)
      from compta._ouverte_vue o
     where o.date between greatest(v_coupes[1], v_clos + 1) and v_coupes[v_n + 1] - 1
       and (p_compte is null or o.compte = p_compte) and (p_id_activite is null or o.id_activite = p_id_activite)
     group by 1, 2, o.journal, o.type, o.compte;
  end if;
end $$;
comment on function compta._sommes is
  'Sommes des lignes par tranche de jours, mois, journal, type et compte, de ce que l''utilisateur peut voir. Une tranche va d''un jour donné à la veille du suivant.';

create type compta._solde as (compte text, ouverture numeric, debit numeric, credit numeric, precedent numeric);
comment on type compta._solde is
  'Un compte : son solde à l''ouverture, les mouvements de la période, et son solde un an avant son dernier jour. Un solde créditeur est négatif.';

-- Accounts of result start each year at zero. The result of an earlier year is on 130 until an entry carries it forward.
-- The lines of one activity or till alone are not balanced: the balance that they owe to the rest of the house is on 185.
create function compta._soldes(p_du date, p_au date, p_id_activite bigint default null) returns setof compta._solde
language sql stable
begin atomic
  with j as (select compta._an_avant(p_au) as veille),
  s as materialized (
    select s.*, s.depuis < p_du or s.type = 'A_NOUVEAU' as ouvre, s.depuis <= j.veille as ancien,
           compta._de_resultat(s.compte) and s.mois < date_trunc('year', p_du::timestamp) as clos,
           compta._de_resultat(s.compte) and s.mois < date_trunc('year', j.veille::timestamp) as ancien_clos
      from j, compta._sommes(array['-infinity', p_du, j.veille + 1, p_au + 1], p_id_activite) s
  ), c as (
    select case when s.clos then '130' else s.compte end as compte,
           case when s.ouvre then s.debit - s.credit else 0 end as ouverture,
           case when not s.ouvre then s.debit else 0 end as debit,
           case when not s.ouvre then s.credit else 0 end as credit, 0::numeric as precedent
      from s
    union all
    select case when s.ancien_clos then '130' else s.compte end, 0, 0, 0, s.debit - s.credit from s where s.ancien
  ), l as (
    select sum(c.ouverture) as ouverture, sum(c.debit) - sum(c.credit) as mouvement, sum(c.precedent) as precedent
      from c
  ), t as (
    select c.* from c
    union all
    select '185', -l.ouverture, greatest(-l.mouvement, 0), greatest(l.mouvement, 0), -l.precedent from l
  )
  select t.compte, sum(t.ouverture), sum(t.debit), sum(t.credit), sum(t.precedent) from t group by t.compte
  having (sum(t.ouverture), sum(t.debit), sum(t.credit), sum(t.precedent)) <> (0, 0, 0, 0);
end;
comment on function compta._soldes is
  'Comptes qui ont un solde ou un mouvement : soldes à l''ouverture et un an avant, et mouvements d''un jour à un autre.';
