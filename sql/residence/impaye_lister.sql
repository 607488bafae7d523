create type residence.statut_impaye as enum ('IMPAYE', 'PARTIEL');
comment on type residence.statut_impaye is 'État d''une échéance qui reste due.';

call core.liste('residence.impaye_lister', 'residence.loyer_impaye_vue', 'v.date_echeance, v.id_echeance',
  'recherche := residence._contrats_rechercher(p_recherche, p_numero_contrat, p_client, p_logement, p_batiment):
    v.id_contrat = any ($)',
  'id_client', 'client: true', 'numero_contrat: true', 'logement: true', 'batiment: true', 'montant',
  'du: date_echeance', 'au: date_echeance',
  'statut residence.statut_impaye: v.statut = $::text::residence.statut_echeance');
comment on function residence.impaye_lister is
  'Liste les loyers échus et impayés ou payés en partie, le plus ancien d''abord ; « batiment » est un code ou un nom, « du » et « au » bornent l''échéance, jours compris.';
