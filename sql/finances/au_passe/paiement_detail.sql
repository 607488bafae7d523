create function finances.paiement_detail(p_id_paiement bigint, p_instant timestamptz default null)
returns finances.paiement_detail_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_instant is not null then
    return audit._ligne_passee(null::finances.paiement_detail_vue, p_id_paiement, p_instant);
  end if;
  return finances._paiement(p_id_paiement);
end $$;
comment on function finances.paiement_detail is 'Un paiement. « instant » : comme à cet instant passé.';
