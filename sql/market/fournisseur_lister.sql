create function market.fournisseur_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_nom text default null, p_contact text default null, p_telephone text default null, p_email text default null,
  p_adresse text default null, p_actif boolean default true)
returns setof market.fournisseur_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('market.fournisseur_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.nom, v.contact, v.telephone, v.email, v.adresse), $1))
    and ($2 is null or core._contient(v.nom, $2))
    and ($3 is null or core._contient(v.contact, $3))
    and ($4 is null or core._contient(v.telephone, $4))
    and ($5 is null or core._contient(v.email, $5))
    and ($6 is null or core._contient(v.adresse, $6))
    and v.actif = $7
  $filtre$, 'v.nom, v.id_fournisseur', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_nom, p_contact, p_telephone, p_email, p_adresse, p_actif;
end $$;
comment on function market.fournisseur_lister is
  'Fournisseurs, par nom ; « actif=false » montre ceux qui sont désactivés.';
