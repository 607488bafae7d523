create function residence.contrat_detail(p_id_contrat bigint, p_instant timestamptz default null)
returns residence.contrat_location_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_instant is not null then
    return audit._ligne_passee(null::residence.contrat_location_detail_vue, p_id_contrat, p_instant);
  end if;
  return residence._contrat(p_id_contrat);
end $$;
comment on function residence.contrat_detail is
  'Un contrat, ses échéances et les révisions de son loyer. « instant » : comme à cet instant passé.';
