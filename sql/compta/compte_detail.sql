create function compta.compte_detail(p_cas text) returns compta.compte_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((select c from compta.compte_vue c where c.cas = p_cas));
end $$;
comment on function compta.compte_detail is 'Un cas et son compte.';
