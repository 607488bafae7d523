call core.detail('achat.paiement_detail', 'achat.paiement_achat_vue', 'id_paiement');
comment on function achat.paiement_detail is 'Un paiement de factures d''achat.';
