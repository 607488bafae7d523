-- A file of sql/ declares the operation that deletes one row, or takes it out of the lists
-- (docs/decisions/0087-listes-declarees.md). The detail refuses a row that the user may not see.

create procedure core.retrait(p_fonction text, p_detail regproc, p_instruction text)
language plpgsql as $$
declare
  v_parametre text := (select p.proargnames[1] from pg_proc p where p.oid = p_detail);
begin
  call core._operation(format('%s(%s bigint)', p_fonction, v_parametre), 'void', 'volatile', format('
begin
  perform %1$s(%2$s);
  %3$s where %4$s = %2$s;
end ', p_detail, v_parametre, p_instruction, substr(v_parametre, 3)));
end $$;
comment on procedure core.retrait is
  'Écrit la fonction qui retire la ligne que lit le détail, par cette instruction sans sa condition.';
