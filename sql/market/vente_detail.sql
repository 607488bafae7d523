call core.detail('market.vente_detail', 'market.vente_detail_vue', 'id_vente');
comment on function market.vente_detail is 'Une vente et ses lignes.';
