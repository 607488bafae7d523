create function abonnement.categorie_abonnement_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_libelle text default null, p_actif boolean default null)
returns setof abonnement.categorie_abonnement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('abonnement.categorie_abonnement_vue', $filtre$
        ($1 is null or core._contient(v.libelle, $1) or core._contient(v.description, $1))
    and ($2 is null or core._contient(v.libelle, $2))
    and ($3 is null or v.actif = $3)
  $filtre$, 'v.libelle, v.id_categorie_abonnement', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_libelle, p_actif;
end $$;
comment on function abonnement.categorie_abonnement_lister is 'Catégories d''abonnements, par libellé.';
