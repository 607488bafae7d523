create function finances.caisse_detail(p_id_caisse bigint, p_instant timestamptz default null)
returns finances.caisse_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.caisse_detail_vue;
begin
  if p_instant is not null then
    return audit._ligne_passee(v, p_id_caisse, p_instant);
  end if;
  select * into strict v from finances.caisse_detail_vue c where c.id_caisse = p_id_caisse;
  return v;
end $$;
comment on function finances.caisse_detail is
  'Rend une caisse, dit si elle est ouverte et montre sa période ouverte. « instant » : comme à cet instant passé.';
