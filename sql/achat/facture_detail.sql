call core.detail('achat.facture_detail', 'achat.achat_detail_vue', 'id_achat');
comment on function achat.facture_detail is 'Une facture d''achat.';
