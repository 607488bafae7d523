create function finances.tirage_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_du date default null, p_au date default null, p_id_caisse bigint default null)
returns setof finances.tirage_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('finances.tirage_vue', $filtre$
        ($1 is null or core._contient(v.note, $1) or core._contient(v.login, $1))
    and ($2 is null or v.date >= $2)
    and ($3 is null or v.date <= $3)
    and ($4 is null or v.id_caisse = $4)
  $filtre$, 'v.date desc, v.id_tirage desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_du, p_au, p_id_caisse;
end $$;
comment on function finances.tirage_lister is
  'Liste les comptages de caisse, le dernier d''abord ; un utilisateur lié à une caisse ne voit que les siens.';
