-- The cursor of a list: where the previous page ended. The API hands it over and takes the next one by settings that
-- are local to the transaction, so that the signature of a list does not name it.

create function core._curseur() returns jsonb
language plpgsql stable as $$
declare
  v constant jsonb := nullif(current_setting('comptoir.apres', true), '')::jsonb;
begin
  -- Only the list that the API calls continues, and no later one of the same transaction.
  perform set_config('comptoir.apres', '', true);
  return v;
end $$;
comment on function core._curseur is
  'Curseur donné par l''API : « cles », les valeurs du tri de la dernière ligne lue, et « rang », le nombre de lignes lues ; null pour une première page.';

create function core._page_noter(p_total text, p_suite jsonb) returns boolean
language sql stable
return set_config('comptoir.total', p_total, true) is not null
   and set_config('comptoir.suite', coalesce(p_suite::text, ''), true) is not null;
comment on function core._page_noter is
  'Note pour l''API le nombre de lignes d''une liste (« 2000+ » quand il y en a plus que la borne) et le curseur de la page suivante, null à la dernière.';

-- For a sort by a desc, b asc, c asc after (x, y, z): (a) <= (x) and (a < x or a = x and (b > y or b = y and (c > z))).
-- The first comparison covers all leading columns of one direction, where an index starts. It is the whole condition
-- when all columns have one direction. Null comes first in a descending column; an ascending one is never null.
create function core._apres(p_cles text[], p_decroissant boolean[], p_valeurs text[]) returns text
language plpgsql immutable as $$
declare
  v_nombre constant integer := cardinality(p_cles);
  v_serie integer := 0;
  v_apres text;
  v_signe text;
begin
  while v_serie < v_nombre and p_valeurs[v_serie + 1] is not null and p_decroissant[v_serie + 1] = p_decroissant[1] loop
    v_serie := v_serie + 1;
  end loop;
  if v_serie < v_nombre then
    for i in reverse v_nombre .. 1 loop
      v_signe := case when p_decroissant[i] then '<' else '>' end;
      v_apres := case when p_valeurs[i] is null
        then format('(%1$s is not null%2$s)', p_cles[i], format(' or %s is null and ', p_cles[i]) || v_apres)
        else format('(%1$s %2$s %3$L%4$s)', p_cles[i], v_signe, p_valeurs[i],
                    format(' or %s = %L and ', p_cles[i], p_valeurs[i]) || v_apres) end;
    end loop;
  end if;
  return concat_ws(' and ',
    case when v_serie > 0 then format('(%s) %s (%s)', array_to_string(p_cles[:v_serie], ', '),
      case when p_decroissant[1] then '<' else '>' end || case when v_serie < v_nombre then '=' else '' end,
      (select string_agg(quote_literal(x.valeur), ', ' order by x.rang)
         from unnest(p_valeurs[:v_serie]) with ordinality x (valeur, rang))) end,
    v_apres);
end $$;
comment on function core._apres is 'Condition des lignes qui suivent ces valeurs dans l''ordre de ces colonnes.';

create function core._suites(p_curseur jsonb, p_cles text[], p_propres integer, p_decroissant boolean[]) returns text[]
language plpgsql stable as $$
declare
  v_valeurs constant text[] := array(select jsonb_array_elements_text(p_curseur -> 'cles'));
begin
  if cardinality(v_valeurs) <> cardinality(p_cles) then
    perform core.refuser(400, 'CURSEUR_INVALIDE',
      'Ce curseur n''est pas celui de cette liste : reprenez à la première page.');
  elsif p_propres = 0 then
    return array[core._apres(p_cles, p_decroissant, v_valeurs)];
  elsif v_valeurs[p_propres] is null then
    return array[p_cles[p_propres] || ' is null and '
                 || core._apres(p_cles[p_propres + 1:], p_decroissant[p_propres + 1:], v_valeurs[p_propres + 1:])];
  end if;
  -- The rows without a value are the last ones. Apart, they let the others be read by an index.
  return array[core._apres(p_cles, p_decroissant, v_valeurs), p_cles[p_propres] || ' is null'];
end $$;
comment on function core._suites is
  'Conditions des lignes qui suivent ce curseur, à lire l''une après l''autre. Les p_propres premières colonnes sont celles d''un tri demandé, où null vient en dernier.';
