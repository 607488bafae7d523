-- A file of sql/ declares the operation that adds one row (docs/decisions/0087-listes-declarees.md). It calls the
-- guard, if there is one, before it writes. A field is optional if its column may be null or has a default, which is
-- then its own:
--   'libelle'                               the column gives the type and the default
--   'code_taxe core.code default null'      the type and the default where the column does not give them
--   'date := coalesce($, now())'            the value that is written

create procedure core.creation(
  p_fonction text, p_table regclass, p_detail regproc, p_garde text, variadic p_champs text[])
language plpgsql as $$
declare
  v record;
begin
  select string_agg('p_' || m.f[1] || ' ' || coalesce(m.f[2], format_type(a.atttypid, a.atttypmod) || case
           when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid)
           when a.attnotnull then '' else ' default null' end), ', ' order by x.rang) as parametres,
         string_agg(m.f[1], ', ' order by x.rang) as colonnes,
         string_agg(coalesce(replace(m.f[3], '$', 'p_' || m.f[1]), 'p_' || m.f[1]), ', ' order by x.rang) as valeurs,
         string_agg(m.f[1], ', ') filter (where a.attnum is null) as inconnus,
         (select substr(p.proargnames[1], 3) from pg_proc p where p.oid = p_detail) as cle
    into v
    from unnest(p_champs) with ordinality x (champ, rang)
   cross join lateral regexp_match(x.champ, '^(\w+)(?: ([^:]+?))?(?: := (.+))?$') m (f)
    left join pg_attribute a on a.attrelid = p_table and a.attnum > 0 and a.attname = m.f[1]
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum;
  if v.inconnus <> '' then
    raise undefined_column using message = format('%s n''a pas de colonne %s', p_table, v.inconnus);
  end if;
  call core._operation(
    format('%s(%s)', p_fonction, v.parametres), pg_get_function_result(p_detail), 'volatile', format('
declare
  v_id bigint;
begin
  %1$s
  insert into %2$s as t (%3$s) values (%4$s)
  returning t.%5$s into v_id;
  return %6$s(v_id);
end ', 'perform ' || p_garde || ';', p_table, v.colonnes, v.valeurs, v.cle, p_detail));
end $$;
comment on procedure core.creation is
  'Écrit la fonction « x_creer » : sa garde, l''insertion de ces champs, et le détail de la ligne.';
