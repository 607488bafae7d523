call core.liste('market.vente_lister', 'market.vente_vue', 'v.date desc, v.id_vente desc',
  'recherche: v.id_vente::text = $ or core._contient(v.client_nom || '' '' || v.client_prenoms, $)
    or exists (select from market.vente_ligne_vue l where l.id_vente = v.id_vente and core._contient(l.produit, $))',
  'du: date', 'au: date', 'statut', 'id_client', 'id_utilisateur', 'total core.montant');
comment on function market.vente_lister is
  'Ventes, de la plus récente à la plus ancienne, annulées comprises ; la recherche porte sur le numéro, le client et les produits. « du » et « au » sont des jours compris.';
