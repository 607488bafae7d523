create function finances.exception_detail(p_id_caisse bigint, p_id_exception bigint)
returns finances.exception_caisse_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select e from finances.exception_caisse_vue e
                        where e.id_exception = p_id_exception and e.id_caisse = p_id_caisse));
end $$;
comment on function finances.exception_detail is 'Une exception, et ce qu''elle est devenue.';
