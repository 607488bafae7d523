create function core._colonnes_triees(p_vue regclass, p_sort text) returns text[]
language plpgsql stable as $$
declare
  v_colonnes text[];
begin
  -- The number in a code may have more than three digits. A longer code is a larger one.
  select case when a.attname in ('code', 'numero') and t.typcategory = 'S' then array[format('length(v.%I)', a.attname)]
         else '{}' end || format('v.%I', a.attname)
    into v_colonnes
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid and t.typtype <> 'c' and t.typcategory <> 'A'
   where a.attrelid = p_vue and a.attname = p_sort and a.attnum > 0;
  if not found then
    perform core.refuser(400, 'TRI_INCONNU', format('Cette liste ne se trie pas par « %s ».', left(p_sort, 50)));
  end if;
  return v_colonnes;
end $$;
comment on function core._colonnes_triees is 'Ce qui trie une vue par cette colonne. Refuse TRI_INCONNU.';

create function core._liste(
  p_vue regclass, p_filtre text, p_tri_par_defaut text,
  p_sort text, p_order core.sens, p_limit integer, p_offset integer, p_parties regclass[] default null,
  p_source text default null)
returns text
language plpgsql stable as $$
declare
  v_curseur constant jsonb := core._curseur();
  v_rang constant integer := coalesce((v_curseur ->> 'rang')::integer, p_offset);  -- rows before this page
  v_fin constant integer := v_rang + p_limit;
  v_descend constant boolean := coalesce(p_order = 'desc', false);
  v_propres text[] := array[]::text[];  -- the columns that p_sort adds
  v_cles text := replace(p_tri_par_defaut, ' desc', '');
  v_tri text := p_tri_par_defaut;
  v_ordre text;
  v_suites text[] := array['true'];
  v_parties text[] := array[coalesce(p_source, p_vue::text)];
  v_page text;
  v_filtrees text;
  v_compte text;
begin
  -- The order: the column that is asked for, then the default one.
  if p_sort is not null then
    v_propres := core._colonnes_triees(p_vue, p_sort);
    v_cles := array_to_string(v_propres, ', ') || ', ' || v_cles;
    v_ordre := case when v_descend then ' desc nulls last, ' else ' asc nulls last, ' end;
    v_tri := array_to_string(v_propres, v_ordre) || v_ordre || v_tri;
  end if;

  -- The conditions of the rows that follow the previous page, to be read one after the other.
  if v_curseur is not null then
    v_suites := core._suites(v_curseur, string_to_array(v_cles, ', '), cardinality(v_propres),
      array_fill(v_descend, array[cardinality(v_propres)])
        || array(select x like '% desc' from unnest(string_to_array(p_tri_par_defaut, ', ')) x));
  end if;

  -- The rows that may be on the page, and all rows that the filter keeps.
  if p_parties is null and cardinality(v_suites) = 1 then
    v_page := format('(select v.* from %s v where %s) v', v_parties[1], v_suites[1]);
    v_filtrees := format('select from %s v where %s', v_parties[1], p_filtre);
  else
    -- PostgreSQL sorts all rows of a union of joins. Each part alone is read by an index, up to the end of the page.
    v_parties := coalesce(p_parties::text[], v_parties);
    v_page := (select format('(%s) v', string_agg(
                 format('(select v.* from %s v where (%s) and (%s) order by %s limit %s)', p, p_filtre, s, v_tri,
                        p_limit + p_offset + 1), ' union all ')) from unnest(v_parties) p, unnest(v_suites) s);
    v_filtrees := (select string_agg(format('select from %s v where %s', p, p_filtre), ' union all ')
                     from unnest(v_parties) p);
  end if;

  -- The count stops at 2000 rows, or at the end of the page, so that it costs the same in large and small tables.
  v_compte := format($q$
    (select case when count(*) > %1$s then '%1$s+' else count(*)::text end
       from (select from (%2$s) v limit %1$s + 1) bornees)
  $q$, greatest(2000, v_fin), v_filtrees);

  -- One row more than the page tells whether there is a next page. If there is none, the page itself tells the number,
  -- except behind the last row, and after a cursor, where the rows before the bound are counted as they are now.
  return format($q$
    with page as materialized (select v.* from %1$s where %2$s order by %3$s limit %4$s + 1 offset %5$s),
         lues as (select count(*) as n from page)
    select page.* from page
     where core._page_noter(
       case when (select n from lues) > %4$s and %6$s >= 2000 then '%6$s+'
            when (select n from lues) between %7$s and %4$s then (%8$s + (select n from lues))::text
            else %9$s end,
       case when (select n from lues) > %4$s then
         (select jsonb_build_object('rang', %6$s, 'cles', jsonb_build_array(%10$s))
            from page v offset %4$s - 1 limit 1) end)
     limit %4$s
  $q$, v_page, p_filtre, v_tri, p_limit, p_offset, v_fin,
    case when v_curseur is not null then greatest(2001 - v_rang, 0) when p_offset = 0 then 0 else 1 end,
    v_rang, v_compte, v_cles);
end $$;
comment on function core._liste is
  'Texte SQL d''une page : filtre écrit par l''appelant avec $1, $2…, tri par une colonne de la vue (sinon TRI_INCONNU), d''où le curseur de l''API la fait commencer, total et curseur suivant notés par core._page_noter. Le tri par défaut finit par une clé ; ses colonnes croissantes ne sont jamais null. p_parties sont les vues dont la vue est l''union, s''il faut lire chacune dans son ordre ; p_source est un appel qui rend des lignes du type p_vue.';
call core.ne_refuse_que('core._liste', 'sort', 'TRI_INCONNU');

create function core._liste_compte(p_vue regclass, p_filtre text, p_limit integer) returns text
language sql stable
return format('select count(*) from (select from %s v where %s limit %s) bornees', p_vue, p_filtre, p_limit);
comment on function core._liste_compte is 'Texte SQL du nombre de lignes d''une liste, compté jusqu''à p_limit.';

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
