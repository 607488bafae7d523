create function auth.utilisateur_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_role bigint default null, p_actif boolean default null,
  p_login text default null, p_nom text default null, p_prenom text default null)
returns setof auth.utilisateur_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The last name stands on both sides of the first name, so that the search finds both orders.
  return query execute core._liste('auth.utilisateur_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.login, v.nom, v.prenom, v.nom, v.role), $1))
    and ($2 is null or v.id_role = $2)
    and ($3 is null or v.actif = $3)
    and ($4 is null or core._contient(v.login, $4))
    and ($5 is null or core._contient(v.nom, $5))
    and ($6 is null or core._contient(v.prenom, $6))
  $filtre$, 'v.id_utilisateur', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_id_role, p_actif, p_login, p_nom, p_prenom;
end $$;
comment on function auth.utilisateur_lister is
  'Liste les comptes ; la recherche porte sur le login, les noms et le rôle.';
