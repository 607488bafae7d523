-- The common part of every list: one page of a view, sorted by a column, and the number of rows.

create function core._liste(
  p_vue regclass, p_filtre text, p_tri_par_defaut text,
  p_sort text, p_order core.sens, p_limit integer, p_offset integer, p_parties regclass[] default null,
  p_source text default null)
returns text
language plpgsql stable as $$
declare
  v_curseur constant jsonb := core._curseur();
  v_rang constant integer := coalesce((v_curseur ->> 'rang')::integer, p_offset);  -- rows before this page
  v_parties text[] := array[coalesce(p_source, p_vue::text)];
  v_propres text[] := array[]::text[];  -- the columns that p_sort adds
  v_cles text := replace(p_tri_par_defaut, ' desc', '');
  v_tri text := p_tri_par_defaut;
  v_suites text[] := array['true'];
  v_source text;
  v_lignes text;
begin
  if p_sort is not null then
    -- The number in a code may have more than three digits. A longer code is a larger one.
    select case when a.attname in ('code', 'numero') and t.typcategory = 'S' then array[format('length(v.%I)', a.attname)]
           else '{}' end || format('v.%I', a.attname)
      into v_propres
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid and t.typtype <> 'c' and t.typcategory <> 'A'
     where a.attrelid = p_vue and a.attname = p_sort and a.attnum > 0;
    if not found then
      perform core.refuser(400, 'TRI_INCONNU', format('Cette liste ne se trie pas par « %s ».', left(p_sort, 50)));
    end if;
    v_cles := array_to_string(v_propres, ', ') || ', ' || v_cles;
    v_tri := array_to_string(v_propres, format(' %s nulls last, ', coalesce(p_order, 'asc')))
             || format(' %s nulls last, ', coalesce(p_order, 'asc')) || v_tri;
  end if;
  if v_curseur is not null then
    v_suites := core._suites(v_curseur, string_to_array(v_cles, ', '), cardinality(v_propres),
      array_fill(coalesce(p_order, 'asc') = 'desc', array[cardinality(v_propres)])
        || array(select x like '% desc' from unnest(string_to_array(p_tri_par_defaut, ', ')) x));
  end if;
  if p_parties is null and cardinality(v_suites) = 1 then
    v_source := format('(select v.* from %s v where %s) v', v_parties[1], v_suites[1]);
    v_lignes := format('select from %s v where %s', v_parties[1], p_filtre);
  else
    -- PostgreSQL sorts all rows of a union of joins. Each part alone is read by an index in its order, up to the end of
    -- the page.
    v_parties := coalesce(p_parties::text[], v_parties);
    v_source := (select format('(%s) v', string_agg(
                   format('(select v.* from %s v where (%s) and (%s) order by %s limit %s)', p, p_filtre, s, v_tri,
                          p_limit + p_offset + 1), ' union all ')) from unnest(v_parties) p, unnest(v_suites) s);
    v_lignes := (select string_agg(format('select from %s v where %s', p, p_filtre), ' union all ') from unnest(v_parties) p);
  end if;
  -- One row more than the page tells whether there is a next page. The count stops at 2000 rows, or at the end of the
  -- page, so that it costs the same in large and small tables. It is not made where the page itself tells the number.
  return format($q$
    with page as materialized (select v.* from %7$s where %2$s order by %3$s limit %4$s + 1 offset %5$s),
         lues as (select count(*) as n from page)
    select page.* from page
     where core._page_noter(
       case when (select n from lues) > %4$s and %8$s + %4$s >= 2000 then %8$s + %4$s || '+'
            when (select n from lues) between %9$s and %4$s then (%8$s + (select n from lues))::text
            else (select case when count(*) > %6$s then '%6$s+' else count(*)::text end
                    from (select from (%1$s) v limit %6$s + 1) bornees) end,
       case when (select n from lues) > %4$s then
         (select jsonb_build_object('rang', %8$s + %4$s, 'cles', jsonb_build_array(%10$s)) from page v offset %4$s - 1 limit 1) end)
     limit %4$s
  $q$, v_lignes, p_filtre, v_tri, p_limit, p_offset, greatest(2000, v_rang + p_limit), v_source, v_rang,
    case when v_curseur is not null then greatest(2001 - v_rang, 0) when p_offset = 0 then 0 else 1 end, v_cles);
end $$;
comment on function core._liste is
  'Texte SQL d''une page : filtre écrit par l''appelant avec $1, $2…, tri par une colonne de la vue (sinon TRI_INCONNU), d''où le curseur de l''API la fait commencer, total et curseur suivant notés par core._page_noter. Le tri par défaut finit par une clé ; ses colonnes croissantes ne sont jamais null. p_parties sont les vues dont la vue est l''union, s''il faut lire chacune dans son ordre ; p_source est un appel qui rend des lignes du type p_vue.';
call core.ne_refuse_que('core._liste', 'sort', 'TRI_INCONNU');

create function core._liste_compte(p_vue regclass, p_filtre text, p_limit integer) returns text
language sql stable
return format('select count(*) from (select from %s v where %s limit %s) bornees', p_vue, p_filtre, p_limit);
comment on function core._liste_compte is
  'Texte SQL du nombre de lignes d''une liste, compté jusqu''à p_limit ; filtre comme celui de core._liste.';

create function core._cherche(p_texte text) returns text
language sql immutable parallel safe
return lower(translate(p_texte,
  'ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖòóôõöÙÚÛÜùúûüÝýÿ',
  'AAAAAAaaaaaaCcEEEEeeeeIIIIiiiiNnOOOOOoooooUUUUuuuuYyy'));
comment on function core._cherche is 'Clé de recherche : sans accents ni majuscules.';

create function core._contient(p_texte text, p_recherche text) returns boolean
language sql immutable parallel safe
return strpos(core._cherche(p_texte), core._cherche(p_recherche)) > 0;
comment on function core._contient is 'Vrai si le texte contient la recherche, sans égard aux accents ni aux majuscules.';
