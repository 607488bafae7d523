call core.liste('tresorerie.ligne_lister', 'tresorerie.ligne_vue', 'v.date desc, v.id_ligne desc',
  'recherche: core._contient(v.libelle, $) or core._contient(v.reference, $) or core._contient(v.identifiant, $)',
  'du: date', 'au: date', 'id_compte', 'id_releve', 'rapprochee boolean: $ = (v.regle is not null)');
comment on function tresorerie.ligne_lister is 'Lignes des relevés, de la plus récente à la plus ancienne. « rapprochee » garde celles qui le sont, ou les autres.';
