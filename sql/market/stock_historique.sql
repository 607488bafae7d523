create function market.stock_historique(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_reference text default null, p_type market.type_mouvement default null, p_du date default null,
  p_au date default null, p_quantite_mouvement market.quantite_signee default null, p_id_produit bigint default null)
returns setof market.mouvement_stock_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('market.mouvement_stock_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.reference, v.nom, v.motif, v.document_ref), $1))
    and ($2 is null or core._contient(v.reference, $2))
    and ($3 is null or v.type = $3)
    and ($4 is null or v.date >= $4)
    and ($5 is null or v.date < $5)
    and ($6 is null or v.quantite_mouvement = $6)
    and ($7 is null or v.id_produit = $7)
  $filtre$, 'v.date desc, v.id_mouvement desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_reference, p_type, core.debut_du_jour(p_du), core.debut_du_jour(p_au + 1), p_quantite_mouvement,
        p_id_produit;
end $$;
comment on function market.stock_historique is
  'Mouvements de stock, du plus récent au plus ancien, avec le stock qu''ils laissent. « du » et « au » sont des jours compris.';
