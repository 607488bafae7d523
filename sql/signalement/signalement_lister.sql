create function signalement.signalement_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_activite bigint default null, p_statut signalement.statut_signalement default null,
  p_id_utilisateur_declarant bigint default null, p_cible_type signalement.cible_type default null,
  p_module_cible signalement.module_cible default null)
returns setof signalement.signalement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('signalement.signalement_vue', $filtre$
        ($1 is null or core._contient(v.titre, $1) or core._contient(v.description, $1))
    and ($2 is null or v.id_activite = $2)
    and ($3 is null or v.statut = $3)
    and ($4 is null or v.id_utilisateur_declarant = $4)
    and ($5 is null or v.cible_type = $5)
    and ($6 is null or v.module_cible = $6::text)
  $filtre$, 'v.date_signalement desc, v.id_signalement desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_id_activite, p_statut, p_id_utilisateur_declarant, p_cible_type, p_module_cible;
end $$;
comment on function signalement.signalement_lister is
  'Signalements que l''utilisateur peut voir, du plus récent au plus ancien ; la recherche porte sur le titre et la description.';
