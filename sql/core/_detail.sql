-- A file of sql/ declares the operation that answers one row of a view, found by its key. The function is written from
-- the declaration while the code is loaded, like the function of a list (docs/decisions/0087-listes-declarees.md).

create procedure core.detail(p_fonction text, p_vue regclass, p_cle name)
language plpgsql as $$
begin
  execute format($fonction$
    create function %1$s(p_%3$s bigint) returns %2$s
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $corps$
begin
  return core._trouve((select v from %2$s v where v.%3$s = p_%3$s));
end $corps$
  $fonction$, p_fonction, p_vue, p_cle);
end $$;
comment on procedure core.detail is 'Écrit la fonction qui rend une ligne d''une vue par sa clé, ou refuse NOT_FOUND.';
