-- A file of sql/ declares the operation that changes the fields of one row, and with it the type of these fields
-- (docs/decisions/0087-listes-declarees.md). The detail refuses a row that the user may not see, before anything is
-- written. A field has the type of its column, or the one that follows its name.

create procedure core.modification(p_fonction text, p_table regclass, p_detail regproc, variadic p_champs text[])
language plpgsql as $$
declare
  v record;
begin
  select p.proargnames[1] as parametre, substr(p.proargnames[1], 3) as cle,
         string_agg(format('%I %s', a.attname, coalesce(m.f[2], format_type(a.atttypid, a.atttypmod))), ', '
                    order by x.rang) as champs,
         string_agg(quote_ident(a.attname), ', ' order by x.rang) as colonnes,
         string_agg('n.' || quote_ident(a.attname), ', ' order by x.rang) as valeurs,
         bool_or(m.f[2] is not null) as plus_etroit
    into strict v
    from unnest(p_champs) with ordinality x (champ, rang)
   cross join lateral regexp_match(x.champ, '^(\w+)(?: (.+))?$') m (f)
    left join pg_attribute a on a.attrelid = p_table and a.attnum > 0 and a.attname = m.f[1]
    join pg_proc p on p.oid = p_detail
   group by p.oid;
  execute format('create type %s as (%s)', regexp_replace(p_fonction, '_modifier$', '_champs'), v.champs);
  call core._operation(
    format('%s(%s, p_champs jsonb)', p_fonction, pg_get_function_arguments(p_detail)), pg_get_function_result(p_detail),
    'volatile', format('
begin
  perform %1$s(%2$s);
  %7$s
  update %3$s t
     set (%4$s) = (select %5$s from jsonb_populate_record(t, p_champs) n)
   where t.%6$s = %2$s;
  return %1$s(%2$s);
end ', p_detail, v.parametre, p_table, v.colonnes, v.valeurs, v.cle, case when v.plus_etroit then
      format('perform jsonb_populate_record(null::%s, p_champs);', regexp_replace(p_fonction, '_modifier$', '_champs'))
    end));
end $$;
comment on procedure core.modification is
  'Écrit le type « x_champs » et la fonction « x_modifier » : ces champs, quand ils sont donnés, changent dans la ligne de la table que lit le détail, et celui-ci la rend.';
