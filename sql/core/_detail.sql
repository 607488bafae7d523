-- A file of sql/ declares the operation that answers one row of a view, found by its key, and the helper that locks one
-- row of a table (docs/decisions/0087-listes-declarees.md).

create procedure core.detail(p_fonction text, p_vue regclass, p_cle name)
language plpgsql as $$
declare
  v_type text;
begin
  select format_type(a.atttypid, a.atttypmod) into strict v_type
    from pg_attribute a where a.attrelid = p_vue and a.attname = p_cle;
  call core._operation(format('%s(p_%s %s)', p_fonction, p_cle, v_type), p_vue::text, 'stable', format('
begin
  return core._trouve((select v from %1$s v where v.%2$s = p_%2$s));
end ', p_vue, p_cle));
end $$;
comment on procedure core.detail is
  'Écrit la fonction qui rend une ligne d''une vue par sa clé. Elle refuse NOT_FOUND. Une vue sans cette clé arrête le chargement.';

create procedure core.verrouillage(p_fonction text, p_table regclass, p_cle name, p_garde text)
language plpgsql as $$
begin
  call core._operation(format('%s(p_%s bigint)', p_fonction, p_cle), p_table::text, 'volatile', format('
begin
  perform %3$s;
  return core._trouve((select x from %1$s x where x.%2$s = p_%2$s for no key update));
end ', p_table, p_cle, p_garde));
end $$;
comment on procedure core.verrouillage is
  'Écrit la fonction « _x_verrouiller », qui rend une ligne verrouillée, telle qu''elle est alors, après sa garde.';
