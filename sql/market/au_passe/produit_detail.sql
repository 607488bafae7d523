create function market.produit_detail(p_id_produit bigint, p_instant timestamptz default null) returns market.produit_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_instant is not null then
    return audit._ligne_passee(null::market.produit_vue, p_id_produit, p_instant);
  end if;
  return market._produit(p_id_produit);
end $$;
comment on function market.produit_detail is 'Un produit et son stock. « instant » : comme à cet instant passé.';
