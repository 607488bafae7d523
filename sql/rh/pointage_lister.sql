create function rh.pointage_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_employe bigint default null, p_service bigint default null, p_du date default null, p_au date default null,
  p_statut rh.statut_pointage default null)
returns setof rh.pointage_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('rh.pointage_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.employe_nom, v.employe_prenom, v.employe_nom, v.note), $1))
    and ($2 is null or v.id_employe = $2)
    and ($3 is null or v.id_employe in (select e.id_employe from rh.employe e where e.id_service = $3))
    and ($4 is null or v.date >= $4)
    and ($5 is null or v.date <= $5)
    and ($6 is null or v.statut = $6)
  $filtre$, 'v.date desc, v.id_pointage desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_employe, p_service, p_du, p_au, p_statut;
end $$;
comment on function rh.pointage_lister is
  'Pointages, du plus récent au plus ancien ; « employe » et « service » sont des identifiants.';
