-- A file of sql/ declares the operation that answers one row of a view, found by its key. The function is written from
-- the declaration while the code is loaded, like the function of a list (docs/decisions/0087-listes-declarees.md).

create procedure core.detail(p_fonction text, p_vue regclass, p_cle name)
language plpgsql as $$
declare
  v_type text;
begin
  select format_type(a.atttypid, a.atttypmod) into strict v_type
    from pg_attribute a where a.attrelid = p_vue and a.attname = p_cle;
  execute format($fonction$
    create function %1$s(p_%3$s %4$s) returns %2$s
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $corps$
begin
  return core._trouve((select v from %2$s v where v.%3$s = p_%3$s));
end $corps$
  $fonction$, p_fonction, p_vue, p_cle, v_type);
end $$;
comment on procedure core.detail is
  'Écrit la fonction qui rend une ligne d''une vue par sa clé. Elle refuse NOT_FOUND. Une vue sans cette clé arrête le chargement.';
