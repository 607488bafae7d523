create function market.vente_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_du date default null, p_au date default null, p_statut market.statut_vente default null,
  p_id_client bigint default null, p_id_utilisateur bigint default null, p_total core.montant default null)
returns setof market.vente_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('market.vente_vue', $filtre$
        ($1 is null or v.id_vente::text = $1 or core._contient(v.client_nom || ' ' || v.client_prenoms, $1)
                    or exists (select from market.vente_ligne_vue l
                                where l.id_vente = v.id_vente and core._contient(l.produit, $1)))
    and ($2 is null or v.date >= $2)
    and ($3 is null or v.date < $3)
    and ($4 is null or v.statut = $4)
    and ($5 is null or v.id_client = $5)
    and ($6 is null or v.id_utilisateur = $6)
    and ($7 is null or v.total = $7)
  $filtre$, 'v.date desc, v.id_vente desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, core.debut_du_jour(p_du), core.debut_du_jour(p_au + 1), p_statut, p_id_client, p_id_utilisateur,
        p_total;
end $$;
comment on function market.vente_lister is
  'Ventes, de la plus récente à la plus ancienne, annulées comprises ; la recherche porte sur le numéro, le client et les produits. « du » et « au » sont des jours compris.';
