create function finances.periode_caisse_lister(
  p_id_caisse bigint, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0)
returns setof finances.periode_caisse_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform finances.caisse_detail(p_id_caisse);
  return query execute core._liste('finances.periode_caisse_vue', 'v.id_caisse = $1',
                                   'v.ouverture desc, v.id_periode desc', p_sort, p_order, p_limit, p_offset)
  using p_id_caisse;
end $$;
comment on function finances.periode_caisse_lister is
  'Liste les périodes d''ouverture d''une caisse, la dernière d''abord.';
