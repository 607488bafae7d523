create function echange.import_lister(
  p_sort text default null, p_order core.sens default null, p_limit core.limite default 1000,
  p_offset core.decalage default 0, p_entite echange.entite default null, p_etat echange.etat_import default null)
returns setof echange.import_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('echange.import_vue', $filtre$
        ($1 is null or v.entite = $1)
    and ($2 is null or v.etat = $2)
  $filtre$, 'v.id_import desc', p_sort, p_order, p_limit, p_offset)
  using p_entite, p_etat;
end $$;
comment on function echange.import_lister is 'Liste ses imports, le dernier d''abord.';
