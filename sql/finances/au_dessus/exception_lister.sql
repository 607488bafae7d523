create function finances.exception_lister(
  p_id_caisse bigint, p_sort text default null, p_order core.sens default null, p_limit core.limite default 1000,
  p_offset core.decalage default 0, p_statut finances.statut_exception default null)
returns setof finances.exception_caisse_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform finances.caisse_detail(p_id_caisse);
  return query execute core._liste('finances.exception_caisse_vue',
                                   'v.id_caisse = $1 and ($2 is null or v.statut = $2)', 'v.id_exception desc',
                                   p_sort, p_order, p_limit, p_offset)
  using p_id_caisse, p_statut;
end $$;
comment on function finances.exception_lister is 'Exceptions d''une caisse : ce que ses appareils ont vendu et qu''une règle a refusé.';
