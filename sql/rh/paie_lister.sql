call core.liste('rh.paie_lister', 'rh.paie_vue', 'v.periode desc, v.id_paie desc',
  'recherche: core._contient(concat_ws('' '', v.employe_nom, v.employe_prenom, v.employe_nom, v.periode), $)',
  'id_employe', 'statut', 'montant_a_payer core.montant', 'du core.periode: periode', 'au core.periode: periode');
comment on function rh.paie_lister is
  'Bulletins de paie, du mois le plus récent au plus ancien ; « du » et « au » sont des mois compris.';
