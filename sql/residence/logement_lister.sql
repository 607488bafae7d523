create function residence.logement_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_batiment bigint default null, p_numero text default null, p_nom text default null,
  p_statut residence.statut_logement default null, p_type residence.type_logement default null,
  p_tarif core.montant default null, p_etat text default null)
returns setof residence.logement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('residence.logement_vue', $filtre$
        ($1 is null or core._contient(v.numero, $1) or core._contient(v.nom, $1) or core._contient(v.equipements, $1))
    and ($2 is null or v.id_batiment = $2)
    and ($3 is null or core._contient(v.numero, $3))
    and ($4 is null or core._contient(v.nom, $4))
    and ($5 is null or v.statut = $5)
    and ($6 is null or v.type = $6)
    and ($7 is null or v.tarif = $7)
    and ($8 is null or core._contient(v.etat, $8))
  $filtre$, 'v.numero, v.id_logement', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_batiment, p_numero, p_nom, p_statut, p_type, p_tarif, p_etat;
end $$;
comment on function residence.logement_lister is 'Liste les logements, par numéro ; « batiment » est un id_batiment.';
