create function restaurant.commande_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_du date default null, p_au date default null, p_statut restaurant.statut_commande default null,
  p_id_client bigint default null, p_type restaurant.type_commande default null, p_total core.montant default null)
returns setof restaurant.commande_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('restaurant.commande_vue', $filtre$
        ($1 is null or v.id_commande::text = $1 or core._contient(v.client_nom || ' ' || v.client_prenoms, $1)
                    or exists (select from restaurant.commande_ligne_vue l
                                where l.id_commande = v.id_commande and core._contient(l.plat, $1)))
    and ($2 is null or v.date >= $2)
    and ($3 is null or v.date < $3)
    and ($4 is null or v.statut = $4)
    and ($5 is null or v.id_client = $5)
    and ($6 is null or v.type = $6)
    and ($7 is null or v.total = $7)
  $filtre$, 'v.date desc, v.id_commande desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, core.debut_du_jour(p_du), core.debut_du_jour(p_au + 1), p_statut, p_id_client, p_type, p_total;
end $$;
comment on function restaurant.commande_lister is
  'Commandes, de la plus récente à la plus ancienne, annulées comprises ; la recherche porte sur le numéro, le client et les plats. « du » et « au » sont des jours compris.';
