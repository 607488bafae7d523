-- A row that a request names by its key. A row that the user may not see is not there.

create function core._trouve(p_ligne anyelement) returns anyelement
language plpgsql stable as $$
begin
  if p_ligne is null then
    raise no_data_found;
  end if;
  return p_ligne;
end $$;
comment on function core._trouve is 'La ligne donnée. Refuse NOT_FOUND quand il n''y en a pas.';
