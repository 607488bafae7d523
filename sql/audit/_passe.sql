-- The schema passe: tables, views and functions as they were at audit._instant(), made from what they are now.
--
-- The past is rebuilt backwards. The rows of a table at an instant are those of now whose key has no later entry in the
-- journal, and, of each key that has some, the row before the first of them. So only the entries after the instant are
-- read, and rows older than the journal are right. Decision 70 says what this costs, and what it cannot tell. The first
-- entry is the one of the oldest version: by its number, or by the rank that a rectification gives it.
--
-- Each twin is a function that PostgreSQL inlines. It returns the row type of the original, so nested rows and arrays
-- keep their types. Its body is the text of the original, with twins in place of what the original reads.

create view audit._lien_passe_vue as
with recursive lien as (
  -- The arrows of the catalogue. Limits and permissions stay those of now, so what core and auth read is not followed.
  select coalesce(r.ev_class, d.objid) as source, d.refobjid as cible,
         case d.refclassid when 'pg_proc'::regclass then 'f' else c.relkind::text end as genre
    from pg_depend d
    left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
    left join pg_class c on d.refclassid = 'pg_class'::regclass and c.oid = d.refobjid
    left join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
   where d.classid in ('pg_rewrite'::regclass, 'pg_proc'::regclass)
     and (c.relkind in ('r', 'v') or p.oid = 'core.aujourdhui()'::regprocedure
          or p.pronamespace not in ('pg_catalog'::regnamespace, 'core'::regnamespace, 'auth'::regnamespace))
), lu (source, cible, genre) as (
  select null::oid, v.oid::oid, 'v'
    from unnest(array['facturation.facture_detail_vue', 'finances.paiement_detail_vue', 'finances.caisse_detail_vue',
                      'client.client_detail_vue', 'residence.contrat_location_detail_vue',
                      'market.produit_vue']::regclass[]) v (oid)
  -- The filter of the list of payments calls it.
  union select null, 'finances._paiements_du_numero(text)'::regprocedure::oid, 'f'
  union select l.source, l.cible, l.genre
          from lu join lien l on l.source = lu.cible and l.cible <> l.source
         where lu.genre <> 'r' and lu.cible <> 'core.aujourdhui()'::regprocedure
), change (cible) as (
  select lu.cible from lu where lu.genre = 'r' or lu.cible = 'core.aujourdhui()'::regprocedure
  union select lu.source from change join lu on lu.cible = change.cible
)
-- A function that reaches no table and not the clock has no past.
select distinct lu.source, lu.cible, lu.genre, n.nspname || '.' || coalesce(c.relname, p.proname) as nom,
       n.nspname || '__' || coalesce(c.relname, p.proname) as jumelle
  from lu
  left join pg_class c on lu.genre <> 'f' and c.oid = lu.cible
  left join pg_proc p on lu.genre = 'f' and p.oid = lu.cible
  join pg_namespace n on n.oid = coalesce(c.relnamespace, p.pronamespace)
 where lu.cible in (select change.cible from change);
comment on view audit._lien_passe_vue is
  'Ce que lisent les réponses à un instant, de proche en proche : tables (r), vues (v) et fonctions (f), et leur jumelle du schéma passe.';

-- The row before an entry has the columns of its day. A column that was added later has the value before its first change,
-- which is in the first later entry that knows it; else its present value. Where the row is gone and no entry knows the
-- column, a constant default stands for it. A generated column is computed from its row. The rows are found in a range and
-- in an object, and not by joins, which are slow where the planner expects few entries.
create function audit._jumelle_table(p_table regclass, p_jumelle text) returns text
language sql stable
return (
  select format($jumelle$
    create function passe.%I() returns setof %s language sql stable
    begin atomic
      with premiere as materialized (
        select distinct on (j.entite_id) j.entite_id::bigint as id, j.avant
          from audit.journal j
         where j.module = %L and j.entite = %L and j.date_heure > (select audit._instant())
         order by j.entite_id, coalesce(((select audit._rangs()) ->> j.id_trace::text)::bigint, j.id_trace)),
      incomplete as materialized (select p.avant from premiere p where not p.avant ?& %8$L::text[]),
      manque as materialized (
        select array_agg(distinct c.cle) as cles
          from incomplete i
         cross join unnest(%8$L::text[]) c (cle)
         where not i.avant ? c.cle),
      ajout as materialized (
        select jsonb_object_agg(l.entite_id, l.champs) as lignes
          from (select v.entite_id, jsonb_object_agg(v.cle, v.valeur) as champs
                  from (select distinct on (j.entite_id, c.cle) j.entite_id, c.cle, j.avant -> c.cle as valeur
                          from audit.journal j
                         cross join unnest((select m.cles from manque m)) c (cle)
                         where j.module = %3$L and j.entite = %4$L and j.date_heure > (select audit._instant())
                           and j.avant ? c.cle and (select m.cles is not null from manque m)
                         order by j.entite_id, c.cle,
                                  coalesce(((select audit._rangs()) ->> j.id_trace::text)::bigint, j.id_trace)) v
                 group by v.entite_id) l)
      select %5$s from %2$s t
       where not coalesce((select range_agg(int8range(p.id, p.id, '[]')) from premiere p) @> t.%6$I, false)
      union all
      select %7$s from premiere p
        left join %2$s t on t.%6$I = p.id
       cross join lateral jsonb_populate_record(
               t, case when t.%6$I is null then jsonb_build_object(%9$s) else '{}' end
                  || coalesce((select a.lignes from ajout a) -> p.id::text, '{}') || p.avant) r
       where p.avant is not null;
    end $jumelle$, p_jumelle, p_table, n.nspname, c.relname,
    string_agg(format('t.%I', a.attname), ', ' order by a.attnum), max(a.attname) filter (where a.attnum = any (i.indkey)),
    string_agg(case
      when a.attnum = any (i.indkey) then 'p.id'
      when a.attgenerated <> '' then
        format('(case when p.avant ? %L then r.%1$I else (select %2$s from (select r.*) g) end)::%3$s', a.attname,
               pg_get_expr(d.adbin, d.adrelid), format_type(a.atttypid, a.atttypmod))
      else format('r.%I', a.attname) end, ', ' order by a.attnum),
    array_agg(a.attname::text)::text,
    coalesce(string_agg(format('%L, %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ')
               filter (where a.attgenerated = '' and pg_get_expr(d.adbin, d.adrelid) !~ '[(]'), ''))
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_index i on i.indrelid = c.oid and i.indisprimary and i.indnkeyatts = 1
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.oid = p_table
     and exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgfoid = 'audit._t90_journal'::regproc)
   group by n.nspname, c.relname);
comment on function audit._jumelle_table is
  'Texte qui crée la jumelle d''une table journalisée ; null si sa clé compte plusieurs colonnes ou si le journal ne la tient pas.';

do $$
declare
  v record;
  v_present text;
begin
  loop
    for v in
      select distinct l.cible, l.genre, l.nom, l.jumelle from audit._lien_passe_vue l
       where to_regproc('passe.' || l.jumelle) is null
         and not exists (select from audit._lien_passe_vue s
                          where s.source = l.cible and to_regproc('passe.' || s.jumelle) is null)
    loop
      execute case
        when v.genre = 'r' then audit._jumelle_table(v.cible, v.jumelle)
        when v.genre = 'v' then
          format('create function passe.%I() returns setof %s language sql stable begin atomic %s end',
                 v.jumelle, v.cible::regclass, audit._texte_passe(pg_get_viewdef(v.cible)))
        when v.cible = 'core.aujourdhui()'::regprocedure then
          format('create function passe.%I() returns date language sql stable return core.jour(audit._instant())', v.jumelle)
        else
          -- A parameter may be written with the name of its function.
          replace(regexp_replace(audit._texte_passe(pg_get_functiondef(v.cible)), format('\m%s\.(?=p_)', split_part(v.nom, '.', 2)),
                                 v.jumelle || '.', 'g'), v.nom || '(', format('passe.%I(', v.jumelle))
        end;
      execute format('comment on function %s is %L', to_regproc('passe.' || v.jumelle)::oid::regprocedure,
                     format('%s, à l''instant que pose audit._instant_poser.', v.nom));
    end loop;
    exit when not found;
  end loop;
  -- PostgreSQL writes each name with its schema. No twin reads the present, except that of a table.
  select string_agg(distinct p.proname || ' → ' || l.nom, ', ') into v_present
    from pg_proc p
    join audit._lien_passe_vue l on not (l.genre = 'r' and p.proname = l.jumelle)
     and pg_get_functiondef(p.oid) ~ format('(?<!::|SETOF |RETURNS )\m%s\M', replace(l.nom, '.', '\.'))
   where p.pronamespace = 'passe'::regnamespace;
  if v_present is not null or exists (select from audit._lien_passe_vue l where to_regproc('passe.' || l.jumelle) is null) then
    raise exception 'Le schéma passe est incomplet : %', coalesce(v_present, 'une jumelle manque');
  end if;
end $$;
