-- The common part of every list: one page of a view, sorted by a column, and the number of rows.

create function core._liste(
  p_vue regclass, p_filtre text, p_tri_par_defaut text,
  p_sort text, p_order core.sens, p_limit integer, p_offset integer, p_parties regclass[] default null)
returns text
language plpgsql stable as $$
declare
  v_tri text;
  v_source text := p_vue;
  v_lignes text := (select string_agg(format('select from %s v where %s', x, p_filtre), ' union all ')
                      from unnest(coalesce(p_parties, array[p_vue])) x);
begin
  v_tri := p_tri_par_defaut;
  if p_sort is not null then
    -- The number in a code may have more than three digits. A longer code is a larger one.
    select case when a.attname in ('code', 'numero') then format('length(v.%I) %s nulls last, ', a.attname, coalesce(p_order, 'asc')) else '' end
           || format('v.%I %s nulls last, %s', a.attname, coalesce(p_order, 'asc'), p_tri_par_defaut) into v_tri
      from pg_attribute a
     where a.attrelid = p_vue and a.attname = p_sort and a.attnum > 0
       and not exists (select from pg_type t where t.oid = a.atttypid and (t.typtype = 'c' or t.typcategory = 'A'));
    if not found then
      perform core.refuser(400, 'TRI_INCONNU', format('Cette liste ne se trie pas par « %s ».', left(p_sort, 50)));
    end if;
  end if;
  if p_parties is not null then
    -- PostgreSQL sorts all rows of a union of joins. Each part alone is read by an index in its order, up to the end of
    -- the page. The rows that are equal there are all read, and sorted by the other columns, so that no page repeats or
    -- omits one.
    v_source := (select format('(%s)', string_agg(
                   format('(select v.* from %s v where %s order by %s fetch first %s rows with ties)', x, p_filtre, v_tri,
                          p_limit + p_offset), ' union all ')) from unnest(p_parties) x);
    v_tri := v_tri || ', v';
  end if;
  -- The count stops at 2000 rows, or at the end of the page, so that it costs the same in large and small tables.
  return format($q$
    with page as materialized (select v.* from %7$s v where %2$s order by %3$s limit %4$s offset %5$s),
         lues as (select count(*) as n from page)
    select page.* from page
     where core._total(case
       when (select n from lues) between 1 and %4$s - 1 or %5$s = 0 and (select n from lues) = 0 then %5$s + (select n from lues)
       else (select count(*) from (select from (%1$s) v limit %6$s + 1) bornees) end, %6$s)
  $q$, v_lignes, p_filtre, v_tri, p_limit, p_offset, greatest(2000, p_limit + p_offset), v_source);
end $$;
comment on function core._liste(regclass, text, text, text, core.sens, integer, integer, regclass[]) is
  'Texte SQL d''une page : filtre écrit par l''appelant avec $1, $2…, tri par une colonne de la vue (sinon TRI_INCONNU), total noté par core._total. p_parties sont les vues dont la vue est l''union, s''il faut lire chacune dans son ordre.';

create function core._total(p_total bigint, p_borne bigint) returns boolean
language sql stable
return set_config('comptoir.total', case when p_total > p_borne then p_borne || '+' else p_total::text end, true) is not null;
comment on function core._total(bigint, bigint) is
  'Note le nombre de lignes d''une liste pour l''en-tête X-Total-Count ; « 2000+ » quand il y en a plus que la borne.';

create function core._cherche(p_texte text) returns text
language sql immutable parallel safe
return lower(translate(p_texte,
  'ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖòóôõöÙÚÛÜùúûüÝýÿ',
  'AAAAAAaaaaaaCcEEEEeeeeIIIIiiiiNnOOOOOoooooUUUUuuuuYyy'));
comment on function core._cherche(text) is 'Clé de recherche : sans accents ni majuscules.';

create function core._contient(p_texte text, p_recherche text) returns boolean
language sql immutable parallel safe
return strpos(core._cherche(p_texte), core._cherche(p_recherche)) > 0;
comment on function core._contient(text, text) is 'Vrai si le texte contient la recherche, sans égard aux accents ni aux majuscules.';
