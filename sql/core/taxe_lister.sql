create function core.taxe_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_code text default null, p_nature core.nature_taxe default null)
returns setof core.taxe_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('core.taxe_vue', $filtre$
        ($1 is null or core._contient(v.code, $1) or core._contient(v.libelle, $1))
    and ($2 is null or v.code = $2)
    and ($3 is null or v.nature = $3)
  $filtre$, 'v.code, v.du, v.id_taxe', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_code, p_nature;
end $$;
comment on function core.taxe_lister is
  'Taux des codes de taxe, par code et par jour ; la recherche porte sur le code et le libellé.';
