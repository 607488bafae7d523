call core.detail('finances.moyen_paiement_detail', 'finances.moyen_paiement_vue', 'id_moyen');
comment on function finances.moyen_paiement_detail is 'Un moyen de paiement.';
