call core.liste('finances.moyen_paiement_lister', 'finances.moyen_paiement_vue', 'v.id_moyen',
  'recherche: libelle', 'actif', 'libelle');
comment on function finances.moyen_paiement_lister is 'Liste les moyens de paiement.';
