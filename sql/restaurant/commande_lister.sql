call core.liste('restaurant.commande_lister', 'restaurant.commande_vue', 'v.date desc, v.id_commande desc',
  'recherche: v.id_commande::text = $ or core._contient(v.client_nom || '' '' || v.client_prenoms, $)
    or exists (select from restaurant.commande_ligne_vue l
                where l.id_commande = v.id_commande and core._contient(l.plat, $))',
  'du: date', 'au: date', 'statut', 'id_client', 'type', 'total core.montant');
comment on function restaurant.commande_lister is
  'Commandes, de la plus récente à la plus ancienne, annulées comprises ; la recherche porte sur le numéro, le client et les plats. « du » et « au » sont des jours compris.';
