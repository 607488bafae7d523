create function residence.caution_detail(p_id_contrat bigint) returns residence.caution_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.caution_vue;
begin
  select * into v from residence.caution_vue c where c.id_contrat = p_id_contrat;
  if not found then
    perform core.refuser(404, 'NOT_FOUND', 'Ce contrat n''a pas de caution.');
  end if;
  return v;
end $$;
comment on function residence.caution_detail is 'Caution d''un contrat et son histoire.';
