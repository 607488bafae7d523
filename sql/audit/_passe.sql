-- The schema passe: operations that look back, and all that they read, as they were at audit._instant().
-- The past is rebuilt backwards. The rows of a table at an instant are the present rows whose key has no later entry in
-- the journal, and, of each key that has some, the row before the first of them. So only the entries after the instant
-- are read, and rows older than the journal are right. Decision 70 says what this costs, and what it cannot tell.
-- A twin has the text of its original, with twins in place of what the original reads, down to the tables. Twins of
-- views and tables are functions that PostgreSQL inlines. They return the row type of the original, so nested rows keep
-- theirs.

create function audit._instant() returns timestamptz
language sql stable parallel safe
return current_setting('comptoir.instant')::timestamptz;
comment on function audit._instant is 'Instant que pose audit.instant_poser ; seul le schéma passe le lit.';

-- The first entry of a row has its oldest version: by its number, or by the rank that a rectification gives.
-- It has the columns of its day. A column that was added later has the value before its first change, which is in the
-- first later entry that knows it. Where none lacks a column, only the first entries are read.
create function audit._avant(p_module text, p_entite text, p_colonnes text[]) returns table (id bigint, ligne jsonb)
language sql stable
begin atomic
  with premiere as materialized (
    select distinct on (j.entite_id) j.entite_id, j.avant
      from audit.journal j
     where j.module = p_module and j.entite = p_entite and j.date_heure > (select audit._instant())
     order by j.entite_id, coalesce(((select audit._rangs()) ->> j.id_trace::text)::bigint, j.id_trace)),
  incomplete as materialized (select p.avant from premiere p where not p.avant ?& p_colonnes),
  manque as materialized (
    select array_agg(distinct c.cle) as cles
      from incomplete i
     cross join unnest(p_colonnes) c (cle)
     where not i.avant ? c.cle),
  valeur as (
    select distinct on (j.entite_id, c.cle) j.entite_id, c.cle, j.avant -> c.cle as valeur
      from audit.journal j
     cross join unnest((select m.cles from manque m)) c (cle)
     where j.module = p_module and j.entite = p_entite and j.date_heure > (select audit._instant())
       and j.avant ? c.cle and (select m.cles is not null from manque m)
     order by j.entite_id, c.cle, coalesce(((select audit._rangs()) ->> j.id_trace::text)::bigint, j.id_trace)),
  ajout as materialized (
    select jsonb_object_agg(l.entite_id, l.champs) as lignes
      from (select v.entite_id, jsonb_object_agg(v.cle, v.valeur) as champs from valeur v group by v.entite_id) l)
  -- An object, because a join is slow where the planner expects few entries.
  select p.entite_id::bigint, coalesce((select a.lignes from ajout a) -> p.entite_id, '{}') || p.avant from premiere p;
end;
comment on function audit._avant is 'Lignes d''une table changées depuis l''instant, telles qu''alors ; null : aucune.';

-- The columns that no entry knows have their present value or, where the row is gone, a constant default. A generated
-- column that an entry lacks is computed from its row. The rows of now are found by a range: a join is slow where the
-- planner expects few entries.
create function audit._jumelle_table(p_table regclass, p_jumelle text) returns text
language sql stable
return (
  select format($jumelle$
    create function passe.%1$I() returns setof %2$s language sql stable
    begin atomic
      with avant as materialized (select a.id, a.ligne from audit._avant(%3$L, %4$L, %5$L) a)
      select t.* from %2$s t
       where not coalesce((select range_agg(int8range(a.id, a.id, '[]')) from avant a) @> t.%6$I, false)
      union all
      select %7$s from avant a
        left join %2$s t on t.%6$I = a.id
       cross join lateral jsonb_populate_record(
               t, case when t.%6$I is null then jsonb_build_object(%8$s) else '{}' end || a.ligne) r
       where a.ligne is not null;
    end $jumelle$, p_jumelle, p_table, n.nspname, c.relname,
    array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = ''),
    max(a.attname) filter (where a.attnum = any (i.indkey)),
    string_agg(case
      when a.attnum = any (i.indkey) then 'a.id'
      when a.attgenerated <> '' then
        format('(case when a.ligne ? %L then r.%1$I else (select %2$s from (select r.*) g) end)::%3$s', a.attname,
               pg_get_expr(d.adbin, d.adrelid), format_type(a.atttypid, a.atttypmod))
      else format('r.%I', a.attname) end, ', ' order by a.attnum),
    coalesce(string_agg(format('%L, %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ' order by a.attnum)
               filter (where a.attgenerated = '' and pg_get_expr(d.adbin, d.adrelid) !~ '[(]'), ''))
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_index i on i.indrelid = c.oid and i.indisprimary and i.indnkeyatts = 1
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.oid = p_table
     and exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 't90_journal_insertion')
   group by n.nspname, c.relname);

-- The tables, views and functions that a view or a function reads. PostgreSQL knows them, except for a body in
-- PL/pgSQL: this is a text, so each name in it counts.
create function audit._lus(p_classe regclass, p_objet oid) returns table (classe regclass, objet oid)
language sql stable
begin atomic
  select d.refclassid, d.refobjid
    from pg_depend d
    left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
   where p_objet = coalesce(r.ev_class, d.objid)
     and p_classe = case when r.oid is null then d.classid else 'pg_class'::regclass end
  union
  select case m.mot[2] when '(' then 'pg_proc'::regclass else 'pg_class' end,
         case m.mot[2] when '(' then to_regproc(m.mot[1])::oid else to_regclass(m.mot[1]) end
    from pg_proc p
   cross join lateral regexp_matches(p.prosrc, '\m([a-z_]+\.[a-z0-9_]+)(\(?)', 'g') m (mot)
   where p_classe = 'pg_proc'::regclass and p.oid = p_objet and p.prosqlbody is null;
end;

-- The present text, with each twin that there is in place of its original.
create function audit._texte_passe(p_texte text) returns text
language plpgsql stable as $$
declare
  v record;
begin
  for v in
    select regexp_replace(p.proname, '__', '\.') as nom, p.proname as jumelle,
           p.pronargs = 0 and p.proretset as relation
      from pg_proc p where p.pronamespace = 'passe'::regnamespace
  loop
    p_texte := case when v.relation
      then regexp_replace(p_texte, format('((?:from|join|,)\s+\(*)%s(?=\s+\w)', v.nom),
                          format('\1passe.%s()', v.jumelle), 'gi')
      else regexp_replace(p_texte, format('\m%s(?=\s*\()', v.nom), 'passe.' || v.jumelle, 'gi') end;
  end loop;
  return p_texte;
end $$;

-- Make the twin of a table, a view or a function, after the twins of all that it reads. Return whether it has one: a
-- function that reaches no table and not the clock has no past, and an immutable one reads its arguments only.
create function audit._jumelle_creer(p_classe regclass, p_objet oid) returns boolean
language plpgsql volatile as $$
declare
  v_genre text;  -- « r », « v », or « f » for a function
  v_schema text;
  v_nom text;
  v_jumelle text;
  v_lu record;
  v_passe boolean := false;
  v_texte text;
begin
  select o.genre, n.nspname, o.nom, n.nspname || '__' || o.nom into v_genre, v_schema, v_nom, v_jumelle
    from (select c.relkind::text as genre, c.relname as nom, c.relnamespace as id from pg_class c
           where p_classe = 'pg_class'::regclass and c.oid = p_objet and c.relkind in ('r', 'v')
          union all
          select 'f', p.proname, p.pronamespace from pg_proc p
           where p_classe = 'pg_proc'::regclass and p.oid = p_objet and p.pronamespace <> 'pg_catalog'::regnamespace
             and p.provolatile <> 'i') o
    join pg_namespace n on n.oid = o.id;
  -- Limits and permissions stay the present ones, and so does the check of the accounts that are set. The number of an
  -- invoice, the chart of accounts and the layout of statements never change.
  if v_genre is null or v_genre = 'f' and v_schema in ('core', 'auth')
     or v_jumelle in ('facturation___numero', 'compta___comptes_exiger', 'compta__plan', 'compta__etat_ligne',
                      'compta__etat_compte') then
    return coalesce(v_jumelle = 'core__aujourdhui', false);
  elsif to_regproc('passe.' || v_jumelle) is not null then
    return true;
  end if;

  if v_genre = 'r' then
    v_texte := audit._jumelle_table(p_objet, v_jumelle);
    if v_texte is null then
      raise exception 'La table %.% n''a pas de passé : il lui faut le journal et une clé simple.', v_schema, v_nom;
    end if;
  else
    for v_lu in select l.classe, l.objet from audit._lus(p_classe, p_objet) l where l.objet <> p_objet loop
      if audit._jumelle_creer(v_lu.classe, v_lu.objet) then -- « … or v_passe » would skip the call
        v_passe := true;
      end if;
    end loop;
    if not v_passe then
      return false;
    end if;
    if v_genre = 'v' then
      v_texte := format('create function passe.%I() returns setof %s language sql stable begin atomic %s end',
                        v_jumelle, p_objet::regclass, audit._texte_passe(pg_get_viewdef(p_objet)));
    else
      -- A parameter may be written with the name of its function.
      v_texte := regexp_replace(audit._texte_passe(pg_get_functiondef(p_objet)), format('\m%s\.(?=p_)', v_nom),
                                v_jumelle || '.', 'g');
      v_texte := replace(v_texte, format('%I.%I(', v_schema, v_nom), format('passe.%I(', v_jumelle));
    end if;
  end if;
  execute v_texte;
  execute format('comment on function passe.%I is %L', v_jumelle,
                 format('%s.%s, à l''instant que pose audit.instant_poser.', v_schema, v_nom));
  return true;
end $$;

-- Closed months and years, their lines and their sums are written once, by a closing that has its moment.
create function passe.compta__periode() returns setof compta.periode
language sql stable
begin atomic
  select p.* from compta.periode p where p.date_cloture <= audit._instant();
end;
comment on function passe.compta__periode is 'Mois clôturés à l''instant que pose audit.instant_poser.';

create function passe.compta__exercice_clos() returns setof compta.exercice_clos
language sql stable
begin atomic
  select x.* from compta.exercice_clos x where x.date_cloture <= audit._instant();
end;
comment on function passe.compta__exercice_clos is 'Exercices clôturés à l''instant que pose audit.instant_poser.';

create function passe.compta__ecriture() returns setof compta.ecriture
language sql stable
begin atomic
  select e.* from compta.ecriture e
   where case e.type::text when 'RESULTAT' then e.id_document in (select x.annee from passe.compta__exercice_clos() x)
         else e.date <= (select max(p.dernier_jour) from passe.compta__periode() p) end;
end;
comment on function passe.compta__ecriture is 'Écritures des mois et des exercices clôturés à l''instant que pose audit.instant_poser.';

create function passe.compta__cumul() returns setof compta.cumul
language sql stable
begin atomic
  select c.* from compta.cumul c
   where case c.type::text
           when 'RESULTAT' then left(c.periode, 4)::integer in (select x.annee from passe.compta__exercice_clos() x)
           else c.periode in (select p.periode from passe.compta__periode() p) end;
end;
comment on function passe.compta__cumul is 'Sommes des mois et des exercices clôturés à l''instant que pose audit.instant_poser.';

-- Two twins have a text of their own: the clock, and the page of a list.
create function passe.core__aujourdhui() returns date
language sql stable
return core.jour(audit._instant());
comment on function passe.core__aujourdhui is 'Jour de l''instant que pose audit.instant_poser.';

create function passe.core___liste(
  p_vue regclass, p_filtre text, p_tri_par_defaut text, p_sort text, p_order core.sens, p_limit integer,
  p_offset integer)
returns text
language sql stable
return core._liste(p_vue, p_filtre, p_tri_par_defaut, p_sort, p_order, p_limit, p_offset,
                   p_source => format('passe.%s()', replace(p_vue::text, '.', '__')));
comment on function passe.core___liste is
  'Texte SQL d''une page d''une vue, à l''instant que pose audit.instant_poser.';

do $$
declare
  v_operation regproc;
  v_present text;
begin
  foreach v_operation in array array[
    'achat.dette_lister', 'achat.facture_detail', 'achat.facture_lister', 'achat.paiement_detail',
    'achat.paiement_lister', 'achat.reception_detail', 'achat.reception_lister', 'client.client_lister',
    'client.client_detail', 'compta.balance', 'compta.bilan', 'compta.creances', 'compta.exercice_lister',
    'compta.grand_livre', 'compta.journaux', 'compta.operation_detail', 'compta.operation_lister',
    'compta.periode_lister', 'compta.resultat', 'facturation.facture_lister', 'facturation.facture_detail',
    'finances.caisse_lister', 'finances.caisse_detail', 'finances.paiement_lister', 'finances.paiement_detail',
    'market.produit_lister', 'market.produit_detail', 'market.rapport_stock', 'market.stock_historique',
    'residence.contrat_lister', 'residence.contrat_detail']::regproc[]
  loop
    perform audit._jumelle_creer('pg_proc', v_operation);
  end loop;
  -- A twin names the original of another one only as a type, or in the literal that is the model of a page; PostgreSQL
  -- writes each name with its schema.
  select string_agg(format('%s → %s', t.proname, o.proname), ', ') into v_present
    from (select p.proname, regexp_replace(pg_get_functiondef(p.oid), '\ndeclare\n.*?\nbegin\n', '') as texte
            from pg_proc p where p.pronamespace = 'passe'::regnamespace offset 0) t
    join (select p.proname, regexp_replace(p.proname, '__', '\.') as nom, p.pronargs = 0 and p.proretset as relation
            from pg_proc p where p.pronamespace = 'passe'::regnamespace) o
      on o.proname <> t.proname
     and t.texte ~ ('(?<!::|SETOF |RETURNS |'')\m' || o.nom || case when o.relation then '\M(?!\()' else '\(' end);
  if v_present is not null then
    raise exception 'Le schéma passe lit le présent : %', v_present;
  end if;
end $$;

-- These serve only here, and two of them run a text.
drop function audit._jumelle_creer, audit._jumelle_table, audit._texte_passe, audit._lus;
