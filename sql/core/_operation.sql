-- The operations that are declared (docs/decisions/0087-listes-declarees.md) are written here, each with the header
-- that every public function has.

create procedure core._operation(p_signature text, p_rend text, p_volatilite text, p_corps text)
language plpgsql as $$
begin
  execute format('create function %s returns %s language plpgsql %s security definer '
                 'set search_path = pg_catalog, pg_temp as %L', p_signature, p_rend, p_volatilite, p_corps);
end $$;
comment on procedure core._operation is 'Crée la fonction d''une opération, de ce corps.';
grant execute on procedure core._operation to comptoir_portail;
