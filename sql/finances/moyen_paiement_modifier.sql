call core.modification('finances.moyen_paiement_modifier', 'finances.moyen_paiement',
  'finances.moyen_paiement_detail', 'libelle', 'actif');
comment on type finances.moyen_paiement_champs is 'Ce qui se modifie d''un moyen de paiement.';
comment on function finances.moyen_paiement_modifier is 'Modifie un moyen de paiement.';
