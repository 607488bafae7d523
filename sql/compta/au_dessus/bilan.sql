create type compta.modele_bilan as enum ('NORMAL', 'MINIMAL');
comment on type compta.modele_bilan is 'Présentation d''un bilan : système normal, ou système minimal de trésorerie.';

create type compta.exercice as (du date, au date);
comment on type compta.exercice is 'Premier jour de l''exercice, et dernier jour compté.';

create type compta.ligne_d_actif as (
  code text, libelle text, brut core.somme, amortissements core.somme, net core.somme, net_precedent core.somme,
  comptes text[]);
comment on type compta.ligne_d_actif is 'Une ligne de l''actif.';
comment on column compta.ligne_d_actif.code is 'Référence du SYSCOHADA révisé.';
comment on column compta.ligne_d_actif.amortissements is 'Amortissements et dépréciations, à déduire.';
comment on column compta.ligne_d_actif.net_precedent is 'Net un an avant.';
comment on column compta.ligne_d_actif.comptes is 'Comptes que la ligne additionne ; aucun d''une somme de lignes.';

create type compta.ligne_de_passif as (
  code text, libelle text, net core.somme, net_precedent core.somme, comptes text[]);
comment on type compta.ligne_de_passif is 'Une ligne du passif.';
comment on column compta.ligne_de_passif.code is 'Référence du SYSCOHADA révisé.';
comment on column compta.ligne_de_passif.net_precedent is 'Net un an avant.';
comment on column compta.ligne_de_passif.comptes is 'Comptes que la ligne additionne ; aucun du résultat de l''exercice, qui a son état.';

create type compta.bilan as (
  periode compta.exercice, actif compta.ligne_d_actif[], passif compta.ligne_de_passif[]);
comment on type compta.bilan is 'Bilan au soir d''un jour. Le total de l''actif et celui du passif sont égaux.';

create function compta.bilan(
  p_au date default null, p_modele compta.modele_bilan default 'NORMAL', p_id_activite bigint default null)
returns compta.bilan
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with j as (
    select x.au, date_trunc('year', x.au::timestamp)::date as du,
           case p_modele when 'MINIMAL' then 'BILAN_MINIMAL' else 'BILAN' end::compta.etat as etat
      from (select coalesce(p_au, core.aujourdhui()) as au) x
  ), c as (
    -- The balance of an account of result is a part of the year's result, whose line opens no ledger.
    select case when compta._de_resultat(s.compte) then '13' else s.compte end as compte,
           min(s.compte) filter (where not compta._de_resultat(s.compte)) as ouvert,
           sum(s.ouverture + s.debit - s.credit) as solde, sum(s.precedent) as precedent
      from j, compta._soldes(j.du, j.au, p_id_activite) s
     group by 1
  ), s as materialized (
    -- The sides of an account may differ on both days.
    select c.ouvert, case when x.signe > 0 then (l.e).code_debit else (l.e).code_credit end as code,
           case when not (l.e).deduit then x.solde end as brut, case when (l.e).deduit then -x.solde end as deduit,
           x.precedent
      from j cross join c
     cross join lateral (select compta._ligne_du_compte(j.etat, c.compte) as e offset 0) l
     cross join lateral (values (c.solde, c.solde, 0::numeric), (c.precedent, 0, c.precedent))
                        x (signe, solde, precedent)
  ), l as materialized (
    select l.code, l.rang, l.libelle, l.code < 'C' as actif, coalesce(sum(s.brut), 0) as brut,
           coalesce(sum(s.deduit), 0) as deduit, coalesce(sum(s.precedent), 0) as precedent,
           coalesce(array_agg(distinct s.ouvert) filter (
             where s.code = l.code and s.ouvert is not null and coalesce(s.brut, s.deduit) <> 0), '{}') as comptes
      from j
      join compta.etat_ligne l on l.etat = j.etat
      join compta._partie_vue p on p.etat = l.etat and p.code = l.code
      left join s on s.code = p.partie
     group by l.code, l.rang, l.libelle
  )
  select row(row(j.du, j.au)::compta.exercice,
             array(select row(l.code, l.libelle, l.brut, l.deduit, l.brut - l.deduit, l.precedent,
                              l.comptes)::compta.ligne_d_actif
                     from l where l.actif order by l.rang),
             array(select row(l.code, l.libelle, l.deduit - l.brut, -l.precedent, l.comptes)::compta.ligne_de_passif
                     from l where not l.actif order by l.rang))::compta.bilan
    from j;
end;
comment on function compta.bilan is
  'Bilan au soir d''un jour, aujourd''hui sans date, et un an avant. Le résultat de l''exercice a sa ligne, et les deux côtés sont égaux. La part d''une activité l''est par le compte de liaison 185.';
