create function facturation.prestation_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_actif boolean default null, p_libelle text default null, p_categorie text default null,
  p_prix core.montant default null)
returns setof facturation.prestation_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('facturation.prestation_vue', $filtre$
        ($1 is null or core._contient(v.libelle, $1) or core._contient(v.categorie, $1)
                    or core._contient(v.description, $1))
    and ($2 is null or v.actif = $2)
    and ($3 is null or core._contient(v.libelle, $3))
    and ($4 is null or core._contient(v.categorie, $4))
    and ($5 is null or v.prix = $5)
  $filtre$, 'v.libelle, v.id_prestation', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_actif, p_libelle, p_categorie, p_prix;
end $$;
comment on function facturation.prestation_lister is 'Prestations facturables, par libellé.';
