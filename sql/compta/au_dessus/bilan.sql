create type compta.modele_bilan as enum ('NORMAL', 'MINIMAL');
comment on type compta.modele_bilan is 'Présentation d''un bilan : système normal, ou système minimal de trésorerie.';

create type compta.exercice as (du date, au date);
comment on type compta.exercice is 'Premier jour de l''exercice, et dernier jour compté.';

create type compta.ligne_d_actif as (
  code text, libelle text, brut core.somme, amortissements core.somme, net core.somme, net_precedent core.somme);
comment on type compta.ligne_d_actif is 'Une ligne de l''actif.';
comment on column compta.ligne_d_actif.code is 'Référence du SYSCOHADA révisé.';
comment on column compta.ligne_d_actif.amortissements is 'Amortissements et dépréciations, à déduire.';
comment on column compta.ligne_d_actif.net_precedent is 'Net un an avant.';

create type compta.ligne_de_passif as (code text, libelle text, net core.somme, net_precedent core.somme);
comment on type compta.ligne_de_passif is 'Une ligne du passif.';
comment on column compta.ligne_de_passif.code is 'Référence du SYSCOHADA révisé.';
comment on column compta.ligne_de_passif.net_precedent is 'Net un an avant.';

create type compta.bilan as (
  periode compta.exercice, actif compta.ligne_d_actif[], passif compta.ligne_de_passif[]);
comment on type compta.bilan is 'Bilan au soir d''un jour. Le total de l''actif et celui du passif sont égaux.';

-- The balance of an account of result is a part of the year's result.
create function compta._bilan_comptes(p_etat compta.etat, p_au date, p_id_activite bigint)
returns table (code text, brut numeric, deduit numeric)
language sql stable
begin atomic
  with c as (
    select case when compta._de_resultat(s.compte) then '13' else s.compte end as compte,
           sum(s.ouverture + s.debit - s.credit) as solde
      from compta._soldes(p_au, p_au, p_id_activite) s
     group by 1
  )
  select case when c.solde > 0 then (l.e).code_debit else (l.e).code_credit end,
         sum(case when (l.e).deduit then 0 else c.solde end), sum(case when (l.e).deduit then -c.solde else 0 end)
    from c
   cross join lateral (select compta._ligne_du_compte(p_etat, c.compte) as e offset 0) l
   group by 1;
end;
comment on function compta._bilan_comptes is 'Valeur brute de chaque ligne d''un bilan, et ce qui s''en déduit, au soir d''un jour ; un passif est négatif.';

create function compta.bilan(
  p_au date default null, p_modele compta.modele_bilan default 'NORMAL', p_id_activite bigint default null)
returns compta.bilan
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with j as (
    select coalesce(p_au, core.aujourdhui()) as au,
           case p_modele when 'MINIMAL' then 'BILAN_MINIMAL' else 'BILAN' end::compta.etat as etat
  ), s as materialized (
    select c.code, c.brut, c.deduit, 0::numeric as precedent
      from j, compta._bilan_comptes(j.etat, j.au, p_id_activite) c
    union all
    select c.code, 0, 0, c.brut - c.deduit
      from j, compta._bilan_comptes(j.etat, compta._an_avant(j.au), p_id_activite) c
  ), l as materialized (
    select l.code, l.rang, l.libelle, l.code < 'C' as actif, coalesce(sum(s.brut), 0) as brut,
           coalesce(sum(s.deduit), 0) as deduit, coalesce(sum(s.precedent), 0) as precedent
      from j
      join compta.etat_ligne l on l.etat = j.etat
      join compta._partie_vue p on p.etat = l.etat and p.code = l.code
      left join s on s.code = p.partie
     group by l.code, l.rang, l.libelle
  )
  select row(row(date_trunc('year', j.au::timestamp)::date, j.au)::compta.exercice,
             array(select row(l.code, l.libelle, l.brut, l.deduit, l.brut - l.deduit, l.precedent)::compta.ligne_d_actif
                     from l where l.actif order by l.rang),
             array(select row(l.code, l.libelle, l.deduit - l.brut, -l.precedent)::compta.ligne_de_passif
                     from l where not l.actif order by l.rang))::compta.bilan
    from j;
end;
comment on function compta.bilan is
  'Bilan au soir d''un jour, aujourd''hui sans date, et un an avant. Le résultat de l''exercice a sa ligne, et les deux côtés sont égaux. La part d''une activité l''est par le compte de liaison 185.';
