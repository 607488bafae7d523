create type compta.ligne_de_journaux as (
  periode core.periode, journal compta.journal, compte text, libelle text, nombre bigint, debit core.somme,
  credit core.somme);
comment on type compta.ligne_de_journaux is
  'Un compte dans un journal, pendant un mois. La dernière ligne, TOTAL, est la somme des autres.';
comment on column compta.ligne_de_journaux.nombre is 'Nombre de lignes du journal.';
call core.peut_etre_null('compta.ligne_de_journaux', 'periode', 'journal', 'libelle');

create function compta.journaux(
  p_du date default null, p_au date default null, p_journal compta.journal default null,
  p_id_activite bigint default null)
returns setof compta.ligne_de_journaux
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with l as materialized (
    select to_char(s.mois, 'YYYY-MM') as periode, s.journal, s.compte, sum(s.nombre) as nombre, sum(s.debit) as debit,
           sum(s.credit) as credit
      from compta._sommes(array[core.premier_jour(p_du, p_au), coalesce(p_au, core.aujourdhui()) + 1],
                          p_id_activite) s
     where p_journal is null or s.journal = p_journal
     group by 1, 2, 3
  ), r as (
    select l.periode, l.journal, l.compte, compta._libelle_compte(l.compte) as libelle, l.nombre, l.debit, l.credit
      from l
     order by l.periode, l.journal, l.compte
  )
  select r.periode::core.periode, r.journal, r.compte, r.libelle, r.nombre::bigint, r.debit, r.credit from r
  union all
  select null, null, 'TOTAL', null, sum(l.nombre)::bigint, sum(l.debit), sum(l.credit) from l having count(*) > 0;
end;
comment on function compta.journaux is
  'Journaux centralisés : par mois, journal et compte, le nombre des lignes et leurs sommes. Période par défaut : le mois en cours. GET /compta/ecritures a les lignes.';
