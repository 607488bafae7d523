create function market.produit_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_categorie_produit bigint default null, p_id_fournisseur bigint default null, p_reference text default null,
  p_nom text default null, p_prix_achat core.montant default null, p_prix_vente core.montant default null,
  p_entree_du date default null, p_entree_au date default null, p_actif boolean default null,
  p_instant timestamptz default null)
returns setof market.produit_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute audit._au_passe(p_instant, core._liste('market.produit_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.reference, v.nom, v.code_barre), $1))
    and ($2 is null or v.id_categorie_produit = $2)
    and ($3 is null or v.id_fournisseur = $3)
    and ($4 is null or core._contient(v.reference, $4))
    and ($5 is null or core._contient(v.nom, $5))
    and ($6 is null or v.prix_achat = $6)
    and ($7 is null or v.prix_vente = $7)
    and ($8 is null or v.date_entree >= $8)
    and ($9 is null or v.date_entree <= $9)
    and ($10 is null or v.actif = $10)
  $filtre$, 'v.nom, v.id_produit', p_sort, p_order, p_limit, p_offset))
  using p_recherche, p_id_categorie_produit, p_id_fournisseur, p_reference, p_nom, p_prix_achat, p_prix_vente,
        p_entree_du, p_entree_au, p_actif;
end $$;
comment on function market.produit_lister is
  'Produits, par nom, désactivés compris ; la recherche porte sur la référence, le nom et le code-barres. « instant » : comme à cet instant passé.';
