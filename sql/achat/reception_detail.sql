call core.detail('achat.reception_detail', 'achat.reception_detail_vue', 'id_reception');
comment on function achat.reception_detail is 'Une réception.';
