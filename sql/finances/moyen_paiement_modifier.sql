create type finances.moyen_paiement_champs as (libelle core.libelle, actif boolean);
comment on type finances.moyen_paiement_champs is 'Ce qui se modifie d''un moyen de paiement.';

call core.modification('finances.moyen_paiement_modifier', 'finances.moyen_paiement', 'finances.moyen_paiement_detail');
comment on function finances.moyen_paiement_modifier is 'Modifie un moyen de paiement.';
