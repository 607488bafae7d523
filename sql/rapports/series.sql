create type rapports.pas as enum ('jour', 'semaine', 'mois');
comment on type rapports.pas is 'Durée d''un point d''une série.';

create type rapports.serie as (
  periode text, encaissements core.somme, decaissements core.somme, depenses core.somme,
  sorties core.somme, solde core.somme);
comment on type rapports.serie is 'Un point d''une série.';
comment on column rapports.serie.periode is 'AAAA-MM-JJ, AAAA-Wnn (semaine ISO) ou AAAA-MM.';

create function rapports.series(p_du date default null, p_au date default null, p_pas rapports.pas default 'mois')
returns setof rapports.serie
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_unite text := case p_pas when 'jour' then 'day' when 'semaine' then 'week' else 'month' end;
  v_format text := case p_pas when 'jour' then 'YYYY-MM-DD' when 'semaine' then 'IYYY-"W"IW' else 'YYYY-MM' end;
begin
  return query
  with sommes as (
    select date_trunc(v_unite, m.jour::timestamp) as debut, sum(m.encaissements) as e, sum(m.decaissements) as d,
           sum(m.depenses) as x, sum(m.sorties) as sorties, sum(m.solde) as solde
      from finances.mouvement_jour_vue m
     where m.jour between coalesce(p_du, '-infinity') and coalesce(p_au, 'infinity')
     group by 1
  ), points as (
    select generate_series(min(s.debut), max(s.debut), ('1 ' || v_unite)::interval) as debut from sommes s
  )
  select to_char(t.debut, v_format), coalesce(s.e, 0)::core.somme, coalesce(s.d, 0)::core.somme,
         coalesce(s.x, 0)::core.somme, coalesce(s.sorties, 0)::core.somme, coalesce(s.solde, 0)::core.somme
    from points t
    left join sommes s on s.debut = t.debut
   order by t.debut;
end $$;
comment on function rapports.series is
  'Argent entré et sorti par jour, semaine ou mois, du premier au dernier qui en a vu, sans trou.';
