call core.detail('finances.paiement_detail', 'finances.paiement_detail_vue', 'id_paiement');
comment on function finances.paiement_detail is 'Un paiement.';
