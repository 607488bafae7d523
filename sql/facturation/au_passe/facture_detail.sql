create function facturation.facture_detail(p_id_facture bigint, p_instant timestamptz default null)
returns facturation.facture_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_instant is not null then
    return audit._ligne_passee(null::facturation.facture_detail_vue, p_id_facture, p_instant);
  end if;
  return facturation._facture(p_id_facture);
end $$;
comment on function facturation.facture_detail is 'Une facture et ses lignes. « instant » : comme à cet instant passé.';
