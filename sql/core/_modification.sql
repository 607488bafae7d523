-- A file of sql/ declares the operation that changes the fields of one row. Its function is written from the
-- declaration while the code is loaded (docs/decisions/0087-listes-declarees.md). The detail refuses a row that the
-- user may not see, before anything is written.

create procedure core.modification(p_fonction text, p_table regclass, p_detail regproc)
language plpgsql as $$
declare
  v record;
begin
  select p.proargnames[1] as parametre, substr(p.proargnames[1], 3) as cle,
         string_agg(quote_ident(a.attname), ', ' order by a.attnum) as colonnes,
         string_agg('n.' || quote_ident(a.attname), ', ' order by a.attnum) as valeurs
    into strict v
    from pg_proc p
    join pg_attribute a on a.attrelid = regexp_replace(p_fonction, '_modifier$', '_champs')::regclass and a.attnum > 0
   where p.oid = p_detail
   group by p.oid;
  call core._operation(
    format('%s(%s, p_champs jsonb)', p_fonction, pg_get_function_arguments(p_detail)), pg_get_function_result(p_detail),
    'volatile', format('
begin
  perform %1$s(%2$s);
  update %3$s t
     set (%4$s) = (select %5$s from jsonb_populate_record(t, p_champs) n)
   where t.%6$s = %2$s;
  return %1$s(%2$s);
end ', p_detail, v.parametre, p_table, v.colonnes, v.valeurs, v.cle));
end $$;
comment on procedure core.modification is
  'Écrit la fonction « x_modifier » : les champs du type « x_champs » qui sont donnés changent dans la ligne de la table que lit le détail, et celui-ci la rend.';
