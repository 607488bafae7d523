-- The last name stands on both sides of the first names, so that the search finds both orders.
call core.liste('pressing.commande_lister', 'pressing.commande_vue', 'v.date_depot desc, v.id_commande desc',
  'recherche: core._contient(
    concat_ws('' '', v.numero_commande, v.client_nom, v.client_prenoms, v.client_nom, v.client_tel), $)',
  'du: date_depot', 'au: date_depot', 'statut', 'id_client',
  'numero_commande: strpos(v.numero_commande, upper($)) > 0', 'montant_total core.montant');
comment on function pressing.commande_lister is
  'Commandes de pressing, de la dernière déposée ou demandée à la première ; la recherche porte sur le numéro, le nom et le téléphone du client. « du » et « au » sont des jours de dépose ou de demande, compris.';
