create function tresorerie.compte_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0, p_au date default null,
  p_genre tresorerie.genre_compte default null, p_id_moyen bigint default null, p_id_activite bigint default null,
  p_actif boolean default null)
returns setof tresorerie.compte_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('tresorerie.compte_vue', $filtre$
        ($1 is null or core._contient(v.libelle, $1) or core._contient(v.identifiant, $1))
    and ($2 is null or v.genre = $2)
    and ($3 is null or v.id_moyen = $3)
    and ($4 is null or v.id_activite = $4)
    and ($5 is null or v.actif = $5)
  $filtre$, 'v.id_compte', p_sort, p_order, p_limit, p_offset,
    p_source => format('tresorerie._comptes(%L)', p_au))
  using p_recherche, p_genre, p_id_moyen, p_id_activite, p_actif;
end $$;
comment on function tresorerie.compte_lister is
  'Comptes hors caisse et leur solde, celui du soir du jour « au » s''il est donné.';
