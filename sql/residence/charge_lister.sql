call core.liste('residence.charge_lister', 'residence.charge_facturee_vue', 'v.periode desc, v.id_charge desc',
  'recherche: core._contient(v.numero_logement, $) or core._contient(v.categorie_libelle, $)
    or core._contient(v.compteur_numero, $) or strpos(v.periode, $) > 0',
  'logement: id_logement', 'periode core.periode', 'categorie: id_categorie_charge', 'compteur_numero', 'montant',
  'statut');
comment on function residence.charge_lister is
  'Charges refacturées, la période la plus récente d''abord ; « logement » et « categorie » sont des identifiants.';
