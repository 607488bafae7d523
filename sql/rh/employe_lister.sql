create function rh.employe_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_sans_compte boolean default null, p_id_service bigint default null, p_statut rh.statut_employe default null,
  p_type_contrat rh.type_contrat default null, p_nom text default null, p_prenom text default null,
  p_telephone text default null, p_fonction rh.fonction default null,
  p_embauche_du date default null, p_embauche_au date default null)
returns setof rh.employe_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The last name stands on both sides of the first name, so that the search finds both orders.
  return query execute core._liste('rh.employe_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.code, v.nom, v.prenom, v.nom, v.telephone), $1))
    and (not $2 or exists (select from rh.employe e where e.id_employe = v.id_employe and e.id_utilisateur is null))
    and ($3 is null or v.id_service = $3)
    and ($4 is null or v.statut = $4)
    and ($5 is null or v.type_contrat = $5)
    and ($6 is null or core._contient(v.nom, $6))
    and ($7 is null or core._contient(v.prenom, $7))
    and ($8 is null or core._contient(v.telephone, $8))
    and ($9 is null or v.fonction = $9)
    and ($10 is null or v.date_embauche >= $10)
    and ($11 is null or v.date_embauche <= $11)
  $filtre$, 'v.nom, v.prenom, v.id_employe', p_sort, p_order, p_limit, p_offset)
  using p_recherche, coalesce(p_sans_compte, false), p_id_service, p_statut, p_type_contrat, p_nom, p_prenom,
        p_telephone, p_fonction, p_embauche_du, p_embauche_au;
end $$;
comment on function rh.employe_lister is
  'Liste les employés, par ordre alphabétique ; « sans_compte » ne garde que ceux qui n''ont pas de compte.';
