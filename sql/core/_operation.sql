-- Writes the declared operations (docs/decisions/0087-listes-declarees.md), each with the header of a public function.
-- A helper « _x » is declared in the same way, and has the rights of its caller.

create procedure core._operation(p_signature text, p_rend text, p_volatilite text, p_corps text)
language plpgsql as $$
begin
  execute format('create function %s returns %s language plpgsql %s %s as %L', p_signature, p_rend, p_volatilite,
                 case when p_signature !~ '^\w+\._' then 'security definer set search_path = pg_catalog, pg_temp' end,
                 p_corps);
end $$;
comment on procedure core._operation is 'Crée la fonction d''une opération, de ce corps.';
grant execute on procedure core._operation to comptoir_portail;
