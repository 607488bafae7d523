call core.liste('residence.logement_lister', 'residence.logement_vue', 'v.numero, v.id_logement',
  'recherche: core._contient(v.numero, $) or core._contient(v.nom, $) or core._contient(v.equipements, $)',
  'batiment: id_batiment', 'numero', 'nom', 'statut', 'type', 'tarif', 'etat');
comment on function residence.logement_lister is 'Liste les logements, par numéro ; « batiment » est un id_batiment.';
