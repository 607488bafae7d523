create function residence.charge_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_logement bigint default null, p_periode core.periode default null, p_categorie bigint default null,
  p_compteur_numero text default null, p_montant core.montant default null,
  p_statut residence.statut_charge default null)
returns setof residence.charge_facturee_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('residence.charge_facturee_vue', $filtre$
        ($1 is null or core._contient(v.numero_logement, $1) or core._contient(v.categorie_libelle, $1)
                    or core._contient(v.compteur_numero, $1) or strpos(v.periode, $1) > 0)
    and ($2 is null or v.id_logement = $2)
    and ($3 is null or v.periode = $3)
    and ($4 is null or v.id_categorie_charge = $4)
    and ($5 is null or core._contient(v.compteur_numero, $5))
    and ($6 is null or v.montant = $6)
    and ($7 is null or v.statut = $7)
  $filtre$, 'v.periode desc, v.id_charge desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_logement, p_periode, p_categorie, p_compteur_numero, p_montant, p_statut;
end $$;
comment on function residence.charge_lister is
  'Charges refacturées, la période la plus récente d''abord ; « logement » et « categorie » sont des identifiants.';
