create function pressing.commande_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_du date default null, p_au date default null, p_statut pressing.statut_commande default null,
  p_id_client bigint default null, p_numero_commande text default null, p_montant_total core.montant default null)
returns setof pressing.commande_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The last name stands on both sides of the first names, so that the search finds both orders.
  return query execute core._liste('pressing.commande_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.numero_commande, v.client_nom, v.client_prenoms, v.client_nom,
                                                v.client_tel), $1))
    and ($2 is null or v.date_depot >= $2)
    and ($3 is null or v.date_depot < $3)
    and ($4 is null or v.statut = $4)
    and ($5 is null or v.id_client = $5)
    and ($6 is null or strpos(v.numero_commande, upper($6)) > 0)
    and ($7 is null or v.montant_total = $7)
  $filtre$, 'v.date_depot desc, v.id_commande desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, core.debut_du_jour(p_du), core.debut_du_jour(p_au + 1), p_statut, p_id_client, p_numero_commande,
        p_montant_total;
end $$;
comment on function pressing.commande_lister is
  'Commandes de pressing, de la dernière déposée ou demandée à la première ; la recherche porte sur le numéro, le nom et le téléphone du client. « du » et « au » sont des jours de dépose ou de demande, compris.';
