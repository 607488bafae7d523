create function abonnement.offre_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_code text default null, p_activite abonnement.activite_offre default null, p_unite abonnement.unite default null,
  p_actif boolean default null, p_id_prestation bigint default null, p_id_categorie_plat bigint default null)
returns setof abonnement.offre_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('abonnement.offre_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.code, v.libelle, v.description), $1))
    and ($2 is null or v.code = $2)
    and ($3 is null or v.activite = $3)
    and ($4 is null or v.unite = $4)
    and ($5 is null or v.actif = $5)
    and ($6 is null or v.id_prestation = $6)
    and ($7 is null or v.id_categorie_plat = $7)
  $filtre$, 'v.libelle, v.id_offre', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_code, p_activite, p_unite, p_actif, p_id_prestation, p_id_categorie_plat;
end $$;
comment on function abonnement.offre_lister is 'Offres d''abonnement, par libellé, inactives comprises.';
